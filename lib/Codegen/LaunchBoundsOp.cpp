// The refinement `launch_bounds`: says how many blocks have to fit on a
// multiprocessor, by which ptxas bounds the registers of a thread.
#include "KernelSkill/Codegen/TransformOps.h"

#include "Knobs.h"
#include "Refinement.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace kernelskill;

/// What all blocks of a multiprocessor may have, on every chip that the table
/// knows; and the least that a thread gets by on.
static constexpr int64_t kMostResident = 2048, kMostBlocks = 32;
static constexpr int64_t kRegisters = 65536, kLeastRegisters = 24;

llvm::Error LaunchBoundsOp::applyTo(RewriterBase &rewriter,
                                    gpu::GPUFuncOp kernel,
                                    transform::TransformState &state) {
  int64_t minBlocks = 0;
  if (llvm::Error error =
          readKnobs(state, {{getMinBlocks(), "min_blocks", &minBlocks}}))
    return error;
  llvm::Expected<std::array<int64_t, 3>> block = blockSize(kernel);
  if (!block)
    return block.takeError();
  int64_t threads = (*block)[0] * (*block)[1] * (*block)[2];
  if (minBlocks > kMostBlocks || minBlocks * threads > kMostResident)
    return refusal("{0} blocks of {1} threads don't fit on a multiprocessor "
                   "(at most {2} blocks and {3} threads)",
                   minBlocks, threads, kMostBlocks, kMostResident);
  if (kRegisters / (minBlocks * threads) < kLeastRegisters)
    return refusal("{0} blocks of {1} threads leave a thread fewer than {2} "
                   "registers",
                   minBlocks, threads, kLeastRegisters);
  StringRef name = NVVM::NVVMDialect::getMinctasmAttrName();
  auto before = kernel->getAttrOfType<IntegerAttr>(name);
  if (before && before.getInt() == minBlocks)
    return refusal("the kernel already asks for {0} blocks", minBlocks);
  rewriter.modifyOpInPlace(kernel, [&] {
    kernel->setAttr(name, rewriter.getI32IntegerAttr(minBlocks));
  });
  return llvm::Error::success();
}
