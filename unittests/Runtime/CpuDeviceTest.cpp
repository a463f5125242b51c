// The CPU device: right results, and errors of wrong use.
#include "CpuKernels.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace llvm;
using namespace kernelskill;

namespace {

/// b[block] = sum of the block's elements, by halving in shared memory.
const char *const blockSum = R"(
define void @k(ptr %t, ptr %args) {
entry:
  %tid = call i32 @tid(ptr %t)
  %bid = call i32 @bid(ptr %t)
  %dim = call i32 @bdim(ptr %t)
  %base = mul i32 %bid, %dim
  %i = add i32 %base, %tid
  %pa = call ptr @element(ptr %args, i32 0, i32 %i)
  %a = load float, ptr %pa
  %mine = call ptr @shared(ptr %t, i32 %tid)
  call void @ks_cpu_store(ptr %t, ptr %mine, i32 4, i32 0)
  store float %a, ptr %mine
  call void @ks_cpu_barrier(ptr %t, i32 1)
  %first = lshr i32 %dim, 1
  br label %loop
loop:
  %half = phi i32 [ %first, %entry ], [ %next, %join ]
  %in = icmp ult i32 %tid, %half
  br i1 %in, label %add, label %join
add:
  %j = add i32 %tid, %half
  %other = call ptr @shared(ptr %t, i32 %j)
  call void @ks_cpu_load(ptr %t, ptr %other, i32 4, i32 2)
  %y = load float, ptr %other
  call void @ks_cpu_load(ptr %t, ptr %mine, i32 4, i32 3)
  %x = load float, ptr %mine
  %s = fadd float %x, %y
  call void @ks_cpu_store(ptr %t, ptr %mine, i32 4, i32 4)
  store float %s, ptr %mine
  br label %join
join:
  call void @ks_cpu_barrier(ptr %t, i32 5)
  %next = lshr i32 %half, 1
  %more = icmp ne i32 %next, 0
  br i1 %more, label %loop, label %end
end:
  %zero = icmp eq i32 %tid, 0
  br i1 %zero, label %store, label %exit
store:
  %pb = call ptr @element(ptr %args, i32 1, i32 %bid)
  %sum = load float, ptr %mine
  store float %sum, ptr %pb
  br label %exit
exit:
  ret void
})";

TEST(CpuDevice, VectorAdd) {
  for (bool blocking : {false, true}) {
    KernelRun run(kernelProgram(vectorAdd, {96, 96, 96}, {3, 1, 1}, {32, 1, 1},
                                0, blocking));
    run.write(0, counted(96));
    run.write(1, std::vector<float>(96, 0.5f));
    ASSERT_EQ(run.run(), FaultKind::None) << run.message;
    std::vector<float> result = run.read(2);
    for (unsigned i = 0; i < 96; ++i)
      EXPECT_EQ(result[i], i + 1.5f);
  }
}

TEST(CpuDevice, AProgramThatOnlyCopiesNeedsNoImage) {
  Program program = kernelProgram(vectorAdd, {8, 8}, {1, 1, 1}, {8, 1, 1});
  program.kernels.clear();
  program.images.clear();
  StepRecord copy;
  copy.kind = StepRecord::Kind::Copy;
  copy.source.buffer = 0;
  copy.destination.buffer = 1;
  copy.bytes = 32;
  program.steps = {copy};
  KernelRun run(program);
  run.write(0, counted(8));
  ASSERT_EQ(run.run(), FaultKind::None) << run.message;
  EXPECT_EQ(run.read(1), counted(8));
}

TEST(CpuDevice, BlockReduction) {
  for (unsigned threads : {1024u, 256u, 64u, 2u}) {
    KernelRun run(kernelProgram(blockSum, {threads * 5, 5}, {5, 1, 1},
                                {threads, 1, 1}, threads * 4));
    run.write(0, counted(threads * 5));
    ASSERT_EQ(run.run(), FaultKind::None) << run.message;
    std::vector<float> result = run.read(1);
    for (unsigned block = 0; block < 5; ++block) {
      double sum = 0;
      for (unsigned i = 1; i <= threads; ++i)
        sum += block * threads + i;
      EXPECT_EQ(result[block], float(sum));
    }
  }
}

TEST(CpuDevice, GridAndBlockIds) {
  // b[...] = linear thread number, from all twelve words.
  std::string body;
  for (unsigned word = 0; word < 12; ++word)
    body += formatv("  %p{0} = getelementptr i32, ptr %t, i32 {0}\n"
                    "  %v{0} = load i32, ptr %p{0}\n",
                    word);
  body += R"(
  %b0 = mul i32 %v5, %v10
  %b1 = add i32 %b0, %v4
  %b2 = mul i32 %b1, %v9
  %b3 = add i32 %b2, %v3
  %n0 = mul i32 %v6, %v7
  %n1 = mul i32 %n0, %v8
  %base = mul i32 %b3, %n1
  %t0 = mul i32 %v2, %v7
  %t1 = add i32 %t0, %v1
  %t2 = mul i32 %t1, %v6
  %t3 = add i32 %t2, %v0
  %i = add i32 %base, %t3
  %e = call ptr @element(ptr %args, i32 0, i32 %i)
  %old = load float, ptr %e
  %x = uitofp i32 %i to float
  %new = fadd float %old, %x
  call void @ks_cpu_store(ptr %t, ptr %e, i32 4, i32 0)
  store float %new, ptr %e
  ret void)";
  for (bool blocking : {false, true}) {
    constexpr unsigned size = 3 * 2 * 2 * 4 * 3 * 2;
    KernelRun run(
        kernelProgram(kernel(body), {size}, {3, 2, 2}, {4, 3, 2}, 0, blocking));
    ASSERT_EQ(run.run(), FaultKind::None) << run.message;
    std::vector<float> result = run.read(0);
    for (unsigned i = 0; i < size; ++i)
      EXPECT_EQ(result[i], float(i)); // each exactly once
  }
}

TEST(CpuDevice, ShuffleReduction) {
  std::string body;
  std::string value = "%tid";
  for (unsigned offset : {16, 8, 4, 2, 1}) {
    body += formatv("  %s{0} = call i32 @ks_cpu_shuffle(ptr %t, i32 -1, i32 "
                    "{1}, i32 {0}, i32 31, i32 3, ptr null, i32 0)\n"
                    "  %v{0} = add i32 {1}, %s{0}\n",
                    offset, value);
    value = "%v" + std::to_string(offset);
  }
  body += "  %f = uitofp i32 " + value +
          " to float\n"
          "  %e = call ptr @element(ptr %args, i32 0, i32 %tid)\n"
          "  store float %f, ptr %e\n  ret void";
  KernelRun run(kernelProgram(kernel(body), {128}, {1, 1, 1}, {64, 2, 1}));
  // Threads of both rows have the same x, so warps are of linear numbers.
  ASSERT_EQ(run.run(), FaultKind::None) << run.message;
  std::vector<float> result = run.read(0);
  EXPECT_EQ(result[0], 31 * 16.0f);
  EXPECT_EQ(result[63], 31 * 16.0f + 32 * 32);
}

TEST(CpuDevice, ShuffleModes) {
  // value = tid; modes up, down, idx and bfly in segments of 8; the predicate
  // goes to the high part.
  struct {
    unsigned mode, lane, clamp;
    std::function<int(int)> source; // -1: out of range
  } const cases[] = {
      {1, 3, 0x0000, [](int l) { return l >= 3 ? l - 3 : -1; }},
      {2, 3, 0x001f, [](int l) { return l + 3 < 32 ? l + 3 : -1; }},
      {0, 5, 0x001f, [](int l) { return 5; }},
      {3, 6, 0x001f, [](int l) { return l ^ 6; }},
      {1, 3, 0x1800, [](int l) { return l % 8 >= 3 ? l - 3 : -1; }},
      {2, 3, 0x181f, [](int l) { return l % 8 + 3 < 8 ? l + 3 : -1; }},
      {0, 5, 0x181f, [](int l) { return l / 8 * 8 + 5; }},
      {2, 1, 0x0003, [](int l) { return l + 1 <= 3 ? l + 1 : -1; }},
  };
  for (const auto &test : cases) {
    std::string body = formatv(
        "  %valid = alloca i8\n"
        "  %s = call i32 @ks_cpu_shuffle(ptr %t, i32 -1, i32 %tid, i32 {0}, "
        "i32 {1}, i32 {2}, ptr %valid, i32 0)\n"
        "  %v = load i8, ptr %valid\n  %w = zext i8 %v to i32\n"
        "  %h = mul i32 %w, 100\n  %r = add i32 %h, %s\n"
        "  %f = uitofp i32 %r to float\n"
        "  %e = call ptr @element(ptr %args, i32 0, i32 %tid)\n"
        "  store float %f, ptr %e\n  ret void",
        test.lane, test.clamp, test.mode);
    KernelRun run(kernelProgram(kernel(body), {32}, {1, 1, 1}, {32, 1, 1}));
    ASSERT_EQ(run.run(), FaultKind::None) << run.message;
    std::vector<float> result = run.read(0);
    for (int lane = 0; lane < 32; ++lane) {
      int source = test.source(lane);
      EXPECT_EQ(result[lane], source < 0 ? lane : 100 + source)
          << "mode " << test.mode << " clamp " << test.clamp << " lane "
          << lane;
    }
  }
}

TEST(CpuDevice, VotesAndMasks) {
  // The lower half votes on odd lanes, the upper half among itself on lane 20.
  KernelRun run(kernelProgram(kernel(R"(
  %low = icmp ult i32 %tid, 16
  %odd = and i32 %tid, 1
  br i1 %low, label %a, label %b
a:
  %x = call i32 @ks_cpu_vote(ptr %t, i32 65535, i32 %odd, i32 0, i32 0)
  br label %join
b:
  %is = icmp eq i32 %tid, 20
  %p = zext i1 %is to i32
  %any = call i32 @ks_cpu_vote(ptr %t, i32 -65536, i32 %p, i32 1, i32 1)
  %all = call i32 @ks_cpu_vote(ptr %t, i32 -65536, i32 %p, i32 2, i32 2)
  %uni = call i32 @ks_cpu_vote(ptr %t, i32 -65536, i32 0, i32 3, i32 3)
  %all2 = mul i32 %all, 2
  %uni4 = mul i32 %uni, 4
  %y0 = add i32 %any, %all2
  %y = add i32 %y0, %uni4
  br label %join
join:
  %r = phi i32 [ %x, %a ], [ %y, %b ]
  call void @ks_cpu_syncwarp(ptr %t, i32 -1, i32 4)
  %f = uitofp i32 %r to float
  %e = call ptr @element(ptr %args, i32 0, i32 %tid)
  store float %f, ptr %e
  ret void)"),
                              {32}, {1, 1, 1}, {32, 1, 1}));
  ASSERT_EQ(run.run(), FaultKind::None) << run.message;
  std::vector<float> result = run.read(0);
  EXPECT_EQ(result[3], float(0xaaaa));
  EXPECT_EQ(result[31], 1 + 4.0f);
}

TEST(CpuDevice, MathematicsAndHalfPrecision) {
  KernelRun run(kernelProgram(R"(
declare float @tanhf(float)
declare float @erff(float)
declare double @exp(double)
define void @k(ptr %t, ptr %args) {
  %p0 = call ptr @element(ptr %args, i32 0, i32 0)
  %x = load float, ptr %p0
  %a = call float @tanhf(float %x)
  %b = call float @erff(float %a)
  %d = fpext float %b to double
  %e = call double @exp(double %d)
  %h = fptrunc double %e to half
  %g = fpext half %h to float
  %w = fptrunc float %g to bfloat
  %v = fpext bfloat %w to float
  %q0 = call ptr @element(ptr %args, i32 1, i32 0)
  store float %g, ptr %q0
  %q1 = call ptr @element(ptr %args, i32 1, i32 1)
  store float %v, ptr %q1
  ret void
})",
                              {1, 2}, {1, 1, 1}, {1, 1, 1}, 0, false));
  run.write(0, {0.7f});
  ASSERT_EQ(run.run(), FaultKind::None) << run.message;
  float exact = std::exp(std::erf(std::tanh(0.7)));
  EXPECT_NEAR(run.read(1)[0], exact, exact / 2048);
  EXPECT_NE(run.read(1)[0], exact);
  EXPECT_NEAR(run.read(1)[1], exact, exact / 128);
}

TEST(CpuDevice, TemporariesConstantsScalarsAndCopies) {
  // c[i] = constant[i] * scalar through a temporary; t's poison is seen first.
  Program program = kernelProgram(R"(
define void @k(ptr %t, ptr %args) {
  %tid = call i32 @tid(ptr %t)
  %pc = call ptr @element(ptr %args, i32 0, i32 %tid)
  %c = load float, ptr %pc
  %ps = getelementptr ptr, ptr %args, i32 1
  %qs = load ptr, ptr %ps
  %s = load float, ptr %qs
  %m = fmul float %c, %s
  %pt = call ptr @element(ptr %args, i32 2, i32 %tid)
  store float %m, ptr %pt
  ret void
})",
                                  {8}, {1, 1, 1}, {4, 1, 1}, 0, false);
  BufferRecord constant, temporary;
  constant.kind = BufferKind::Constant;
  constant.shape = {4};
  float values[] = {1, 2, 3, 4};
  constant.data.assign(reinterpret_cast<char *>(values), sizeof(values));
  temporary.shape = {8};
  program.buffers.push_back(constant);
  program.buffers.push_back(temporary);
  LaunchArgument c, s, t, result;
  c.buffer = 1;
  s.bits = 0x40000000; // 2.0f
  s.size = 4;
  t.buffer = 2;
  result.buffer = 0;
  program.steps[0].arguments = {c, s, t};
  StepRecord copy;
  copy.kind = StepRecord::Kind::Copy;
  copy.source = t;
  copy.destination = result;
  copy.bytes = 32;
  program.steps.push_back(copy);
  program.buffers[0].shape = {8};
  program.steps[0].arguments[2].byteOffset = 8;
  std::unique_ptr<Device> device = cantFail(openDevice("cpu"));
  std::unique_ptr<LoadedProgram> loaded = cantFail(device->load(program));
  DeviceAddress out = cantFail(device->allocate(32));
  for (unsigned round = 0; round < 2; ++round) {
    cantFail(loaded->run({}, {out}));
    float found[8];
    cantFail(device->copyFromDevice(found, out, 32));
    EXPECT_TRUE(std::isnan(found[0]) && std::isnan(found[7]));
    EXPECT_EQ(found[2], 2.0f);
    EXPECT_EQ(found[5], 8.0f);
  }
}

TEST(CpuDevice, SampledBlocks) {
  KernelRun run(
      kernelProgram(vectorAdd, {320, 320, 320}, {10, 1, 1}, {32, 1, 1}));
  run.write(0, std::vector<float>(320, 1.0f));
  run.device->setSampledBlocks(3);
  ASSERT_EQ(run.run(), FaultKind::None) << run.message;
  std::vector<float> result = run.read(2);
  for (unsigned block = 0; block < 10; ++block)
    EXPECT_EQ(result[block * 32], block == 0 || block == 4 || block == 9);
  run.device->setSampledBlocks(0);
  ASSERT_EQ(run.run(), FaultKind::None) << run.message;
  EXPECT_EQ(run.read(2)[32], 1.0f);
}

TEST(CpuDevice, WrongUseIsAnError) {
  std::unique_ptr<Device> device = cantFail(openDevice("cpu"));
  Program program =
      kernelProgram(vectorAdd, {32, 32, 32}, {1, 1, 1}, {32, 1, 1});
  std::unique_ptr<LoadedProgram> loaded = cantFail(device->load(program));
  auto message = [](Error error) { return toString(std::move(error)); };
  DeviceAddress large = cantFail(device->allocate(128));
  DeviceAddress small = cantFail(device->allocate(124));
  EXPECT_NE(message(loaded->run({large}, {large}))
                .find("takes 2 arguments, but got 1"),
            std::string::npos);
  EXPECT_NE(message(loaded->run({large, small}, {large}))
                .find("argument 'b' of 128 bytes at byte 0 of a buffer of 124"),
            std::string::npos);
  EXPECT_NE(message(loaded->run({large, large}, {0x1000})).find("no live"),
            std::string::npos);
  device->release(small);
  EXPECT_NE(message(device->fill(small, 0, 1)).find("no live address"),
            std::string::npos);
  EXPECT_NE(
      message(device->copyToDevice(large, program.images[0].bytes.data(), 129)),
      "");
  Expected<DeviceAddress> huge = device->allocate(uint64_t(1) << 50);
  ASSERT_FALSE(bool(huge));
  EXPECT_TRUE(huge.errorIsA<DeviceFault>());
  EXPECT_NE(message(huge.takeError()).find("bytes are left"),
            std::string::npos);
  EXPECT_NE(
      message(device->time({}, 3, 1).takeError()).find("measures nothing"),
      std::string::npos);
  EXPECT_NE(message(device->copyBandwidth(1).takeError()), "");
  EXPECT_NE(message(device->counters({loaded.get(), {}, {}}, {}).takeError()),
            "");
  // Images: none, garbage, an unknown symbol.
  Program other = program;
  other.images[0].bytes = "garbage";
  EXPECT_NE(message(device->load(other).takeError()).find("can't link"),
            std::string::npos);
  other.images[0].bytes.assign(program.images[0].bytes, 0, 300);
  EXPECT_NE(message(device->load(other).takeError()), "");
  other.images.clear();
  EXPECT_NE(message(device->load(other).takeError()).find("no CPU image"),
            std::string::npos);
  other = kernelProgram("declare void @system(ptr)\n" +
                            kernel("  call void @system(ptr %t)\n  ret void"),
                        {8}, {1, 1, 1}, {1, 1, 1});
  EXPECT_NE(message(device->load(other).takeError()).find("system"),
            std::string::npos);
  EXPECT_NE(message(openDevice("gpu").takeError()).find("'cuda:0'"),
            std::string::npos);
}
} // namespace
