// Lays temporaries out by their lifetimes; see the header.
#include "KernelSkill/Lowering/ShareTemporaries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace kernelskill;

namespace {
struct Lifetime {
  int32_t buffer;
  size_t first, last; // steps
  uint64_t bytes, offset = 0;

  bool meets(const Lifetime &other) const {
    return first <= other.last && other.first <= last;
  }
};
} // namespace

template <typename Visit>
static void forEachBuffer(StepRecord &step, Visit visit) {
  if (step.kind == StepRecord::Kind::Copy) {
    visit(step.source);
    visit(step.destination);
    return;
  }
  for (LaunchArgument &argument : step.arguments)
    if (argument.buffer >= 0)
      visit(argument);
}

// The largest first, each at the lowest place that is free while it lives.
static uint64_t place(std::vector<Lifetime> &lifetimes) {
  sort(lifetimes, [](const Lifetime &a, const Lifetime &b) {
    return std::pair(b.bytes, a.buffer) < std::pair(a.bytes, b.buffer);
  });
  uint64_t total = 0;
  std::vector<const Lifetime *> placed; // by offset
  for (Lifetime &lifetime : lifetimes) {
    for (const Lifetime *other : placed)
      if (other->meets(lifetime) &&
          other->offset < lifetime.offset + lifetime.bytes)
        lifetime.offset =
            std::max(lifetime.offset, other->offset + other->bytes);
    total = std::max(total, lifetime.offset + lifetime.bytes);
    placed.insert(upper_bound(placed, &lifetime,
                              [](const Lifetime *a, const Lifetime *b) {
                                return a->offset < b->offset;
                              }),
                  &lifetime);
  }
  return total;
}

void kernelskill::shareTemporaries(Program &program) {
  std::vector<int32_t> lifetimeOf(program.buffers.size(), -1);
  std::vector<Lifetime> lifetimes;
  for (auto [number, step] : enumerate(program.steps))
    forEachBuffer(step, [&, number = number](LaunchArgument &argument) {
      const BufferRecord &buffer = program.buffers[argument.buffer];
      if (buffer.kind != BufferKind::Temporary)
        return;
      int32_t &position = lifetimeOf[argument.buffer];
      if (position < 0) {
        position = lifetimes.size();
        lifetimes.push_back(
            {argument.buffer, number, number, alignTo(buffer.bytes(), 256)});
      }
      lifetimes[position].last = number;
    });
  if (lifetimes.size() < 2)
    return;
  uint64_t total = place(lifetimes);
  // Buffers that stay keep their order; the shared one comes last.
  std::vector<int32_t> moved(program.buffers.size(), -1);
  std::vector<uint64_t> offsets(program.buffers.size(), 0);
  std::vector<BufferRecord> buffers;
  for (auto [number, buffer] : enumerate(program.buffers))
    if (buffer.kind != BufferKind::Temporary) {
      moved[number] = buffers.size();
      buffers.push_back(std::move(buffer));
    }
  for (const Lifetime &lifetime : lifetimes) {
    moved[lifetime.buffer] = buffers.size();
    offsets[lifetime.buffer] = lifetime.offset;
  }
  BufferRecord shared;
  shared.name = "temporaries";
  shared.type = ElementType::I8;
  shared.shape = {static_cast<int64_t>(total)};
  buffers.push_back(std::move(shared));
  program.buffers = std::move(buffers);
  for (StepRecord &step : program.steps)
    forEachBuffer(step, [&](LaunchArgument &argument) {
      argument.byteOffset += offsets[argument.buffer];
      argument.buffer = moved[argument.buffer];
    });
}
