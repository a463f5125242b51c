// Races on the CPU device: each kind is found with both places, and what is
// ordered or atomic is none.
#include "CpuKernels.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace kernelskill;

namespace {

std::string kernel(const std::string &body) {
  return "define void @k(ptr %t, ptr %args) {\nentry:\n"
         "  %tid = call i32 @tid(ptr %t)\n"
         "  %bid = call i32 @bid(ptr %t)\n" +
         body + "  ret void\n}\n";
}

// Accesses of 4 bytes at %p, by their number.
std::string store(const std::string &p, int op) {
  return "  call void @ks_cpu_store(ptr %t, ptr " + p + ", i32 4, i32 " +
         std::to_string(op) + ")\n  store float 1.0, ptr " + p + "\n";
}
std::string load(const std::string &p, int op) {
  return "  call void @ks_cpu_load(ptr %t, ptr " + p + ", i32 4, i32 " +
         std::to_string(op) + ")\n";
}
std::string atomic(const std::string &p, int op) {
  return "  call void @ks_cpu_atomic(ptr %t, ptr " + p + ", i32 4, i32 " +
         std::to_string(op) + ")\n  %old" + std::to_string(op) +
         " = atomicrmw fadd ptr " + p + ", float 1.0 monotonic\n";
}
const std::string barrier = "  call void @ks_cpu_barrier(ptr %t, i32 9)\n";
const std::string syncwarp =
    "  call void @ks_cpu_syncwarp(ptr %t, i32 -1, i32 8)\n";
// %own and %next: the thread's word of shared memory and its neighbour's, in a
// ring of 64 threads; %out: a word of the result that all share.
const std::string places = R"(
  %own = call ptr @shared(ptr %t, i32 %tid)
  %up = add i32 %tid, 1
  %ring = and i32 %up, 63
  %next = call ptr @shared(ptr %t, i32 %ring)
  %lane = and i32 %up, 31
  %warp = and i32 %tid, 32
  %inwarp = or i32 %lane, %warp
  %near = call ptr @shared(ptr %t, i32 %inwarp)
  %out = call ptr @element(ptr %args, i32 0, i32 0)
  %mine = call ptr @element(ptr %args, i32 0, i32 %tid)
)";

std::string runKernel(const std::string &body, unsigned blocks,
                      unsigned threads, FaultKind expected,
                      bool blocking = true) {
  KernelRun run(kernelProgram(kernel(places + body), {64}, {blocks, 1, 1},
                              {threads, 1, 1}, 256, blocking));
  // The only buffer is the result.
  EXPECT_EQ(run.run(), expected) << run.message;
  return run.message;
}

void expectText(const std::string &message, StringRef text) {
  EXPECT_NE(message.find(text.str()), std::string::npos)
      << "expected " << text.str() << "\nfound " << message;
}

TEST(CpuRaces, ReadsOfANeighbourNeedABarrier) {
  // The neighbour's word is written and then read with the barrier left out of
  // the second round.
  std::string good = store("%own", 0) + barrier + load("%next", 1) + barrier;
  runKernel(good + store("%own", 2), 3, 64, FaultKind::None);
  std::string bad = store("%own", 0) + barrier + load("%next", 1);
  std::string message =
      runKernel(bad + store("%own", 2), 3, 64, FaultKind::Race);
  expectText(message, "race in kernel 'k', block (0, 0, 0), thread (0, 0, 0), "
                      "at op 2: store of 4 bytes at byte 0");
  expectText(message, "load by block (0, 0, 0), thread (63, 0, 0), at op 1, "
                      "with no barrier between");
}

TEST(CpuRaces, TwoWritersOfOneWord) {
  std::string first = "  %p = call ptr @shared(ptr %t, i32 0)\n";
  std::string message =
      runKernel(first + store("%p", 0), 1, 64, FaultKind::Race);
  expectText(message, "thread (1, 0, 0), at op 0: store");
  expectText(message, "store by block (0, 0, 0), thread (0, 0, 0), at op 0");
  // Without waits a block is a plain loop; its threads race just so.
  message = runKernel(store("%out", 0), 1, 64, FaultKind::Race, false);
  expectText(message, "store by block (0, 0, 0), thread (0, 0, 0), at op 0");
  runKernel(store("%mine", 0), 1, 64, FaultKind::None, false);
}

TEST(CpuRaces, BlocksAreNotOrdered) {
  std::string message =
      runKernel(store("%mine", 0), 2, 64, FaultKind::Race, false);
  expectText(message, "block (1, 0, 0), thread (0, 0, 0), at op 0: store");
  expectText(message, "store by block (0, 0, 0), thread (0, 0, 0), at op 0, "
                      "with nothing to order the blocks");
  // A barrier orders the threads of its block only.
  runKernel(store("%mine", 0) + barrier + load("%out", 1), 1, 64,
            FaultKind::None);
  message = runKernel(load("%mine", 1) + barrier + R"(
  %second = icmp eq i32 %bid, 1
  br i1 %second, label %write, label %end
write:
)" + store("%mine", 0) + "  br label %end\nend:\n",
                      2, 64, FaultKind::Race);
  expectText(message, "load by block (0, 0, 0)");
}

TEST(CpuRaces, AtomicsRaceWithPlainAccessesOnly) {
  runKernel(atomic("%out", 0), 4, 64, FaultKind::None, false);
  expectText(runKernel(atomic("%out", 0) + load("%out", 1), 2, 64,
                       FaultKind::Race, false),
             "atomic update");
  // The store of thread 0 races with the atomic of another thread, not only
  // with the last one.
  runKernel(barrier + atomic("%out", 0) + load("%out", 1), 1, 64,
            FaultKind::Race);
  runKernel(atomic("%out", 0) + barrier + load("%out", 1), 1, 64,
            FaultKind::None);
}

TEST(CpuRaces, SyncwarpOrdersTheLanesItNames) {
  std::string exchange = store("%own", 0) + syncwarp + load("%near", 1) +
                         syncwarp + store("%own", 2);
  runKernel(exchange, 2, 64, FaultKind::None);
  runKernel(store("%own", 0) + syncwarp + load("%near", 1) + store("%own", 2),
            1, 64, FaultKind::Race);
  // The neighbour of the last lane is of the other warp.
  std::string across = runKernel(store("%own", 0) + barrier + load("%next", 1) +
                                     syncwarp + store("%own", 2),
                                 1, 64, FaultKind::Race);
  expectText(across, "with no barrier between");
  // A mask without the upper half does not order it.
  std::string half = R"(
  %isLow = icmp ult i32 %lane16, 16
  %mask = select i1 %isLow, i32 65535, i32 -65536
  call void @ks_cpu_syncwarp(ptr %t, i32 %mask, i32 8)
)";
  runKernel("  %lane16 = and i32 %tid, 31\n" + store("%own", 3) + barrier +
                store("%own", 0) + half + load("%near", 1),
            1, 32, FaultKind::Race);
  // More syncs than the clocks count end in no false alarm.
  std::string many;
  for (int i = 0; i < 40; ++i)
    many += store("%own", 0) + syncwarp + load("%near", 1) + syncwarp;
  runKernel(many, 1, 64, FaultKind::None);
}

TEST(CpuRaces, ShufflesOrderNothing) {
  std::string shuffle =
      "  %s = call i32 @ks_cpu_shuffle(ptr %t, i32 -1, i32 0, "
      "i32 1, i32 31, i32 3, ptr null, i32 7)\n";
  runKernel(store("%own", 0) + shuffle + load("%near", 1), 1, 32,
            FaultKind::Race);
}

TEST(CpuRaces, BytesOfAWordAreApart) {
  std::string byte = R"(
  %base = call ptr @shared(ptr %t, i32 0)
  %p = getelementptr i8, ptr %base, i32 %tid
  call void @ks_cpu_store(ptr %t, ptr %p, i32 1, i32 0)
  store i8 1, ptr %p
)";
  runKernel(byte, 2, 64, FaultKind::None);
  // Words that were written before the first byte are not forgotten.
  std::string mixed = store("%own", 1) + R"(
  %last = icmp eq i32 %tid, 63
  br i1 %last, label %write, label %end
write:
  %base = call ptr @shared(ptr %t, i32 0)
  %p = getelementptr i8, ptr %base, i32 6
  call void @ks_cpu_store(ptr %t, ptr %p, i32 1, i32 0)
  br label %end
end:
)";
  expectText(runKernel(mixed, 1, 64, FaultKind::Race),
             "store by block (0, 0, 0), thread (1, 0, 0), at op 1");
}

TEST(CpuRaces, LaunchesAreOrdered) {
  KernelRun run(kernelProgram(kernel(places + store("%mine", 0)), {64},
                              {1, 1, 1}, {64, 1, 1}, 256));
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(run.run(), FaultKind::None) << run.message;
}

} // namespace
