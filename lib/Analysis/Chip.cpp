// The chip table. One row per chip, with the product that its rates are of.
//
// Sources. Limits of multiprocessors (threads, blocks, registers, shared
// memory): CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability". Multiprocessors, boost clock, memory rate, L2 size and peak
// rates: NVIDIA's data sheets and architecture white papers of the product
// named in the row. Least PTX versions: PTX ISA, ".target" directive. fp32 is 2
// * lanes * clock * multiprocessors, with 64 lanes on sm_80 and 128 on the
// others; fp64 is the data sheet's, or 1/64 of fp32 where the chip has two fp64
// lanes a multiprocessor.
//
// L2 rates: only the A100's is published (5120 bytes a clock, white paper); the
// others are estimated at 32 bytes a clock and multiprocessor, half of the
// width of a multiprocessor's port, since far slices and write-backs take the
// rest.
#include "KernelSkill/Analysis/Chip.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelskill;

static constexpr unsigned kKiB = 1024, kMiB = 1024 * 1024;

static constexpr Chip kChips[] = {
    {/*name=*/"sm_80", /*product=*/"A100 SXM 80 GB", /*minPtx=*/70,
     /*multiprocessors=*/108, /*clockGHz=*/1.41, /*dram=*/2.039e12,
     /*l2=*/5120 * 1.41e9, /*fp32=*/19.5e12, /*fp64=*/9.7e12,
     /*l2Bytes=*/40 * kMiB, /*threads=*/2048, /*blocks=*/32,
     /*registers=*/65536, /*perThread=*/255, /*shared=*/164 * kKiB,
     /*perBlock=*/163 * kKiB},
    {"sm_86", "A10", 71, 72, 1.695, 600e9, 72 * 32 * 1.695e9, 31.2e12,
     31.2e12 / 64, 6 * kMiB, 1536, 16, 65536, 255, 100 * kKiB, 99 * kKiB},
    {"sm_89", "L40S", 78, 142, 2.52, 864e9, 142 * 32 * 2.52e9, 91.6e12,
     91.6e12 / 64, 96 * kMiB, 1536, 24, 65536, 255, 100 * kKiB, 99 * kKiB},
    {"sm_90", "H100 SXM", 78, 132, 1.98, 3.35e12, 132 * 32 * 1.98e9, 67e12,
     34e12, 50 * kMiB, 2048, 32, 65536, 255, 228 * kKiB, 227 * kKiB},
    {"sm_90a", "H200 SXM", 80, 132, 1.98, 4.8e12, 132 * 32 * 1.98e9, 67e12,
     34e12, 50 * kMiB, 2048, 32, 65536, 255, 228 * kKiB, 227 * kKiB},
    {"sm_100", "B200", 86, 148, 1.965, 8e12, 148 * 32 * 1.965e9, 74.5e12, 37e12,
     126 * kMiB, 2048, 32, 65536, 255, 228 * kKiB, 227 * kKiB},
    {"sm_100a", "B200", 86, 148, 1.965, 8e12, 148 * 32 * 1.965e9, 74.5e12,
     37e12, 126 * kMiB, 2048, 32, 65536, 255, 228 * kKiB, 227 * kKiB},
    {"sm_120", "GeForce RTX 5090", 87, 170, 2.407, 1.792e12, 170 * 32 * 2.407e9,
     104.8e12, 104.8e12 / 64, 96 * kMiB, 1536, 24, 65536, 255, 100 * kKiB,
     99 * kKiB},
};

llvm::ArrayRef<Chip> kernelskill::knownChips() { return kChips; }

llvm::Expected<const Chip *> kernelskill::findChip(llvm::StringRef name) {
  for (const Chip &chip : kChips)
    if (chip.name == name)
      return &chip;
  std::string known;
  for (const Chip &chip : kChips)
    known += (known.empty() ? "" : ", ") + chip.name.str();
  return llvm::createStringError("unknown chip '" + name +
                                 "'; known chips: " + known);
}
