// Every fault that the CPU device promises to report (races: CpuRacesTest.cpp).
#include "CpuKernels.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace kernelskill;

namespace {

void expectFault(KernelRun &run, FaultKind kind,
                 std::vector<std::string> texts) {
  EXPECT_EQ(run.run(), kind) << run.message;
  for (const std::string &text : texts)
    EXPECT_NE(run.message.find(text), std::string::npos)
        << "expected " << text << "\nfound " << run.message;
}

TEST(CpuFaults, OutOfBoundsGlobal) {
  Program program =
      kernelProgram(vectorAdd, {96, 95, 96}, {3, 1, 1}, {32, 1, 1}, 0, false);
  KernelRun load(program);
  expectFault(load, FaultKind::OutOfBounds,
              {"kernel 'k'", "block (2, 0, 0)", "thread (31, 0, 0)", "at op 1",
               "load of 4 bytes at byte 380 of buffer 'b' of 380 bytes"});
  // A fault does not outlive the run.
  expectFault(load, FaultKind::OutOfBounds, {"at op 1"});
  program.buffers[1].shape = {96};
  program.buffers[2].shape = {0};
  KernelRun store(program);
  expectFault(store, FaultKind::OutOfBounds,
              {"block (0, 0, 0)", "at op 2", "store of 4 bytes at byte 0"});
}

TEST(CpuFaults, OutOfBoundsBeforeTheStartAndFarOff) {
  for (auto [index, text] :
       {std::pair("-1", "at byte -4 of buffer 'a'"),
        std::pair("536870912", "at byte 2147483648 of buffer 'a'")}) {
    KernelRun run(kernelProgram(
        kernel(std::string("  %e = call ptr @element(ptr %args, i32 0, i32 ") +
               index +
               ")\n  call void @ks_cpu_atomic(ptr %t, ptr %e, i32 4, i32 3)\n"
               "  ret void"),
        {8}, {1, 1, 1}, {1, 1, 1}));
    expectFault(run, FaultKind::OutOfBounds, {"at op 3", "atomic", text});
  }
}

TEST(CpuFaults, OutOfBoundsShared) {
  for (const char *access : {"load", "store"}) {
    KernelRun run(kernelProgram(
        kernel(std::string("  %s = call ptr @shared(ptr %t, i32 63)\n"
                           "  call void @ks_cpu_store(ptr %t, ptr %s, i32 4, "
                           "i32 0)\n"
                           "  %q = call ptr @shared(ptr %t, i32 64)\n"
                           "  call void @ks_cpu_") +
               access + "(ptr %t, ptr %q, i32 4, i32 1)\n  ret void"),
        {8}, {1, 1, 1}, {4, 1, 1}, 256));
    expectFault(run, FaultKind::OutOfBounds,
                {"at op 1", "byte 256 of the block's 256 bytes"});
  }
}

TEST(CpuFaults, UnwrittenSharedRead) {
  // Thread 0 reads what thread 5 writes, with no barrier between.
  std::string body = R"(
  %mine = call ptr @shared(ptr %t, i32 %tid)
  call void @ks_cpu_store(ptr %t, ptr %mine, i32 4, i32 0)
  store float 1.0, ptr %mine
  BARRIER
  %n = sub i32 31, %tid
  %p = call ptr @shared(ptr %t, i32 %n)
  call void @ks_cpu_load(ptr %t, ptr %p, i32 4, i32 2)
  ret void)";
  std::string missing = body, present = body;
  missing.replace(missing.find("BARRIER"), 7, "");
  present.replace(present.find("BARRIER"), 7,
                  "call void @ks_cpu_barrier(ptr %t, i32 1)");
  KernelRun wrong(
      kernelProgram(kernel(missing), {8}, {300, 1, 1}, {32, 1, 1}, 128));
  expectFault(wrong, FaultKind::UnwrittenRead,
              {"thread (0, 0, 0)", "at op 2", "at byte 124"});
  // More blocks than stamps: what an earlier block wrote does not count.
  KernelRun right(
      kernelProgram(kernel(present), {8}, {300, 1, 1}, {32, 1, 1}, 128));
  EXPECT_EQ(right.run(), FaultKind::None) << right.message;
}

TEST(CpuFaults, SharedWritesOfEarlierBlocksDoNotCount) {
  KernelRun run(kernelProgram(kernel(R"(
  %bid = call i32 @bid(ptr %t)
  %s = call ptr @shared(ptr %t, i32 0)
  %is = icmp eq i32 %bid, 299
  br i1 %is, label %read, label %write
write:
  call void @ks_cpu_store(ptr %t, ptr %s, i32 16, i32 0)
  br label %read
read:
  call void @ks_cpu_load(ptr %t, ptr %s, i32 16, i32 1)
  ret void)"),
                              {8}, {300, 1, 1}, {1, 1, 1}, 16, false));
  expectFault(run, FaultKind::UnwrittenRead, {"block (299, 0, 0)", "at op 1"});
}

TEST(CpuFaults, DivergentBarrier) {
  KernelRun run(kernelProgram(kernel(R"(
  %low = icmp ult i32 %tid, 16
  br i1 %low, label %a, label %b
a:
  call void @ks_cpu_barrier(ptr %t, i32 2)
  ret void
b:
  call void @ks_cpu_barrier(ptr %t, i32 3)
  ret void)"),
                              {8}, {1, 1, 1}, {64, 1, 1}));
  expectFault(run, FaultKind::Deadlock,
              {"thread (16, 0, 0)", "others at op 2, this one at op 3"});
}

TEST(CpuFaults, DeadlockBetweenBarrierAndShuffle) {
  KernelRun run(kernelProgram(kernel(R"(
  %low = icmp ult i32 %tid, 4
  br i1 %low, label %a, label %b
a:
  call void @ks_cpu_barrier(ptr %t, i32 2)
  ret void
b:
  call void @ks_cpu_syncwarp(ptr %t, i32 -1, i32 3)
  ret void)"),
                              {8}, {1, 1, 1}, {64, 1, 1}));
  expectFault(run, FaultKind::Deadlock,
              {"4 of 64 threads wait at op 2 (the first is (0, 0, 0))",
               "28 of 64 threads wait at op 3 (the first is (4, 0, 0))",
               "32 have ended"});
}

TEST(CpuFaults, EndedThreadsDoNotHoldTheBarrier) {
  KernelRun run(kernelProgram(kernel(R"(
  %low = icmp ult i32 %tid, 40
  br i1 %low, label %a, label %b
a:
  call void @ks_cpu_barrier(ptr %t, i32 2)
  %e = call ptr @element(ptr %args, i32 0, i32 %tid)
  store float 1.0, ptr %e
  ret void
b:
  ret void)"),
                              {64}, {2, 1, 1}, {64, 1, 1}));
  ASSERT_EQ(run.run(), FaultKind::None) << run.message;
  EXPECT_EQ(run.read(0)[39], 1.0f);
  EXPECT_EQ(run.read(0)[40], 0.0f);
}

TEST(CpuFaults, ShuffleWithAnEndedLane) {
  KernelRun run(kernelProgram(kernel(R"(
  %low = icmp ult i32 %tid, 7
  br i1 %low, label %a, label %b
a:
  %v = call i32 @ks_cpu_vote(ptr %t, i32 -1, i32 1, i32 0, i32 1)
  ret void
b:
  ret void)"),
                              {8}, {1, 1, 1}, {32, 1, 1}));
  expectFault(run, FaultKind::Deadlock, {"at op 1", "lane 7 of the warp"});
}

TEST(CpuFaults, MaskWithoutTheCaller) {
  KernelRun run(kernelProgram(
      kernel("  call void @ks_cpu_syncwarp(ptr %t, i32 1, i32 1)\n  ret void"),
      {8}, {1, 1, 1}, {32, 1, 1}));
  expectFault(run, FaultKind::Other, {"thread (1, 0, 0)", "at op 1", "mask"});
}

TEST(CpuFaults, WaitInAKernelThatIsNotBlocking) {
  KernelRun run(kernelProgram(
      kernel("  call void @ks_cpu_barrier(ptr %t, i32 1)\n  ret void"), {8},
      {1, 1, 1}, {32, 1, 1}, 0, false));
  expectFault(run, FaultKind::Other, {"at op 1", "build the program again"});
}

TEST(CpuFaults, EndlessLoopsAreCut) {
  for (bool blocking : {false, true}) {
    KernelRun run(kernelProgram(kernel(R"(
  %p = call ptr @element(ptr %args, i32 0, i32 0)
  br label %loop
loop:
  %x = load volatile float, ptr %p
  %go = fcmp oeq float %x, 0.0
  br i1 %go, label %loop, label %exit
exit:
  ret void)"),
                                {8}, {4, 1, 1}, {32, 1, 1}, 0, blocking));
    run.device->setTimeLimit(0.05);
    expectFault(run, FaultKind::Timeout,
                {"limit of 0.05 s", "block (0, 0, 0)", "thread (0, 0, 0)"});
    // The device goes on.
    run.write(0, std::vector<float>(8, 1.0f));
    EXPECT_EQ(run.run(), FaultKind::None) << run.message;
  }
}

TEST(CpuFaults, EndlessBarriersAreCut) {
  KernelRun run(kernelProgram(kernel(R"(
  br label %loop
loop:
  call void @ks_cpu_barrier(ptr %t, i32 1)
  br label %loop)"),
                              {8}, {4, 1, 1}, {128, 1, 1}));
  run.device->setTimeLimit(0.05);
  for (unsigned round = 0; round < 10; ++round)
    expectFault(run, FaultKind::Timeout, {"limit of 0.05 s"});
}

TEST(CpuFaults, EndlessSeriesOfBlocksIsCut) {
  KernelRun run(kernelProgram(kernel("  ret void"), {8}, {2147483647, 65535, 1},
                              {1, 1, 1}));
  run.device->setTimeLimit(0.05);
  expectFault(run, FaultKind::Timeout, {"limit of 0.05 s"});
}

TEST(CpuFaults, SignalsBecomeFaults) {
  KernelRun null(
      kernelProgram(kernel("  store volatile float 1.0, ptr null\n  ret void"),
                    {8}, {1, 1, 1}, {2, 1, 1}));
  expectFault(null, FaultKind::IllegalAccess, {"address 0", "no buffer"});
  KernelRun far(kernelProgram(kernel(R"(
  %e = call ptr @element(ptr %args, i32 0, i32 100000)
  store float 1.0, ptr %e
  ret void)"),
                              {8}, {1, 1, 1}, {2, 1, 1}, 0, false));
  expectFault(far, FaultKind::IllegalAccess,
              {"at byte 400000 of buffer 'a' of 32 bytes"});
  KernelRun zero(kernelProgram(kernel(R"(
  %z = alloca i32
  store volatile i32 0, ptr %z
  %n = load volatile i32, ptr %z
  %q = sdiv i32 %tid, %n
  store volatile i32 %q, ptr %z
  ret void)"),
                               {8}, {1, 1, 1}, {2, 1, 1}));
  expectFault(zero, FaultKind::Other, {"division by zero"});
  KernelRun deep(kernelProgram(R"(
define i32 @deep(i32 %n) noinline {
  %a = alloca [1024 x i8]
  store volatile i8 1, ptr %a
  %m = add i32 %n, 1
  %r = call i32 @deep(i32 %m)
  %x = load volatile i8, ptr %a
  %y = zext i8 %x to i32
  %s = add i32 %r, %y
  ret i32 %s
}
)" + kernel("  %r = call i32 @deep(i32 0)\n  ret void"),
                               {8}, {1, 1, 1}, {40, 1, 1}));
  expectFault(deep, FaultKind::IllegalAccess, {"64 KiB of private memory"});
}

TEST(CpuFaults, Trap) {
  KernelRun run(kernelProgram(
      kernel("  call void @ks_cpu_trap(ptr %t, i32 5)\n  ret void"), {8},
      {1, 1, 1}, {2, 1, 1}, 0, false));
  expectFault(run, FaultKind::Trap, {"trap in kernel 'k'", "at op 5"});
}

TEST(CpuFaults, PrivateMemoryIsInBounds) {
  for (bool blocking : {false, true}) {
    KernelRun run(kernelProgram(
        kernel("  %a = alloca [64 x i8]\n"
               "  call void @ks_cpu_store(ptr %t, ptr %a, i32 64, i32 0)\n"
               "  call void @ks_cpu_load(ptr %t, ptr %a, i32 64, i32 1)\n"
               "  ret void"),
        {8}, {2, 1, 1}, {33, 1, 1}, 0, blocking));
    EXPECT_EQ(run.run(), FaultKind::None) << run.message;
  }
}

TEST(CpuFaults, WritesPastTheEndAreFound) {
  for (auto [index, text] :
       {std::pair("8", "0 bytes past the end of a buffer of 32 bytes"),
        std::pair("300", "past the end"),
        std::pair("-2", "5 bytes before the start")}) {
    KernelRun run(kernelProgram(
        kernel(std::string("  %e = call ptr @element(ptr %args, i32 0, i32 ") +
               index + ")\n  store float 1.0, ptr %e\n  ret void"),
        {8}, {1, 1, 1}, {1, 1, 1}, 0, false));
    EXPECT_FALSE(bool(run.device->checkGuards()));
    ASSERT_EQ(run.run(), FaultKind::None) << run.message;
    std::string found = toString(run.device->checkGuards());
    EXPECT_NE(found.find(text), std::string::npos) << found;
  }
}

// A kernel that copies in vectors copies guard zones, too.
TEST(CpuFaults, GuardZonesThatAreCopiedAreFound) {
  KernelRun run(kernelProgram(
      kernel("  %from = call ptr @element(ptr %args, i32 0, i32 8)\n"
             "  %to = call ptr @element(ptr %args, i32 1, i32 8)\n"
             "  %v = load float, ptr %from\n"
             "  store float %v, ptr %to\n  ret void"),
      {8, 8}, {1, 1, 1}, {1, 1, 1}, 0, false));
  ASSERT_EQ(run.run(), FaultKind::None) << run.message;
  std::string found = toString(run.device->checkGuards());
  EXPECT_NE(found.find("past the end of a buffer of 32 bytes"),
            std::string::npos)
      << found;
}

} // namespace
