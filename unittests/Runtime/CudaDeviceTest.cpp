// The CUDA device on a real GPU, with hand-written PTX; skipped without one.
#include "KernelSkill/Runtime/CApi.h"
#include "KernelSkill/Runtime/Device.h"

#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>

using namespace kernelskill;

namespace {

// add: c[i] = a[i] + b[i] for i < n. hang: never returns. wild: writes to 64.
// past: writes one element past c.
constexpr char kPtx[] = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
  .reg .pred %p; .reg .b32 %r<5>; .reg .f32 %f<4>; .reg .b64 %d<8>;
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.s32 %r1, %r1, %r2, %r3;
  ld.param.u32 %r4, [n];
  setp.ge.u32 %p, %r1, %r4;
  @%p ret;
  mul.wide.u32 %d1, %r1, 4;
  ld.param.u64 %d2, [a]; ld.param.u64 %d3, [b]; ld.param.u64 %d4, [c];
  add.s64 %d2, %d2, %d1; add.s64 %d3, %d3, %d1; add.s64 %d4, %d4, %d1;
  ld.global.f32 %f1, [%d2]; ld.global.f32 %f2, [%d3];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%d4], %f3;
  ret;
}
.visible .entry hang(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
  .reg .b64 %d; .reg .b32 %r; .reg .pred %p;
  ld.param.u64 %d, [a];
loop:
  ld.volatile.global.u32 %r, [%d];
  setp.ne.u32 %p, %r, 123456789;
  @%p bra loop;
  ret;
}
.visible .entry wild(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
  .reg .b64 %d;
  mov.u64 %d, 64;
  st.global.u32 [%d], 1;
  ret;
}
.visible .entry past(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
  .reg .b64 %d<4>; .reg .b32 %r;
  ld.param.u64 %d1, [c]; ld.param.u32 %r, [n];
  mul.wide.u32 %d2, %r, 4;
  add.s64 %d1, %d1, %d2;
  st.global.u32 [%d1], %r;
  ret;
}
)";

constexpr uint32_t kCount = 1 << 20;

Program makeProgram(const char *kernel) {
  Program program;
  for (const char *name : {"a", "b", "c"}) {
    BufferRecord buffer;
    buffer.name = name;
    buffer.kind = name[0] == 'c' ? BufferKind::Result : BufferKind::Argument;
    buffer.shape = {kCount};
    program.buffers.push_back(buffer);
  }
  KernelRecord record;
  record.name = kernel;
  program.kernels.push_back(record);
  StepRecord step;
  step.grid = {kCount / 256, 1, 1};
  step.block = {256, 1, 1};
  for (int buffer : {0, 1, 2}) {
    LaunchArgument argument;
    argument.buffer = buffer;
    step.arguments.push_back(argument);
  }
  LaunchArgument count;
  count.bits = kCount;
  count.size = 4;
  step.arguments.push_back(count);
  program.steps.push_back(step);
  program.images.push_back({ImageRecord::Kind::Ptx, "sm_80", kPtx});
  return program;
}

/// c = a + b, then `adds` times c += b: as many launches as it has steps.
Program makeChain(unsigned adds) {
  Program program = makeProgram("add");
  StepRecord again = program.steps.front();
  again.arguments[0].buffer = 2;
  program.steps.insert(program.steps.end(), adds, again);
  return program;
}

/// A function of the driver, which a CUDA device has loaded.
template <typename Function>
Function driverFunction(const char *name) {
  return reinterpret_cast<Function>(
      dlsym(dlopen("libcuda.so.1", RTLD_NOW), name));
}

class CudaDeviceTest : public ::testing::Test {
protected:
  void SetUp() override {
    auto opened = openDevice("cuda:0");
    if (!opened) {
      std::string reason = llvm::toString(opened.takeError());
      GTEST_SKIP() << reason;
    }
    device = std::move(*opened);
    for (DeviceAddress &buffer : buffers)
      buffer = llvm::cantFail(device->allocate(kCount * 4));
    std::vector<float> values(kCount);
    for (uint32_t i = 0; i < kCount; ++i)
      values[i] = i;
    for (int i : {0, 1})
      ASSERT_FALSE(
          bool(device->copyToDevice(buffers[i], values.data(), kCount * 4)));
  }

  llvm::Error run(const char *kernel) {
    auto loaded = device->load(makeProgram(kernel));
    if (!loaded)
      return loaded.takeError();
    return (*loaded)->run({buffers[0], buffers[1]}, {buffers[2]});
  }

  /// Whether c is a and `count` times b, added one after the other, for a = b =
  /// 0, 1, ….
  bool resultIs(DeviceAddress c, unsigned count) {
    std::vector<float> sums(kCount);
    llvm::cantFail(device->copyFromDevice(sums.data(), c, kCount * 4));
    for (uint32_t i = 0; i < kCount; i += 997) {
      float sum = i;
      for (unsigned add = 0; add < count; ++add)
        sum += i;
      if (sums[i] != sum)
        return false;
    }
    return true;
  }

  FaultKind faultOf(llvm::Error error) {
    FaultKind kind = FaultKind::None;
    llvm::handleAllErrors(
        std::move(error), [&](const DeviceFault &fault) { kind = fault.kind; },
        [&](const llvm::ErrorInfoBase &) { kind = FaultKind::Other; });
    return kind;
  }

  std::unique_ptr<Device> device;
  DeviceAddress buffers[3] = {};
};

TEST_F(CudaDeviceTest, RunsAndTimes) {
  ASSERT_FALSE(bool(run("add")));
  std::vector<float> sums(kCount);
  ASSERT_FALSE(
      bool(device->copyFromDevice(sums.data(), buffers[2], kCount * 4)));
  for (uint32_t i = 0; i < kCount; ++i)
    ASSERT_EQ(sums[i], 2.0f * i);
  ASSERT_FALSE(bool(device->checkGuards()));

  auto loaded = llvm::cantFail(device->load(makeProgram("add")));
  DeviceAddress arguments[] = {buffers[0], buffers[1]},
                results[] = {buffers[2]};
  Device::TimedRun timed = {loaded.get(), arguments, results};
  auto samples = llvm::cantFail(device->time({timed, timed}, 10, 1.0));
  ASSERT_EQ(samples.size(), 2u);
  for (const TimeSample &sample : samples) {
    ASSERT_GE(sample.milliseconds.size(), 3u);
    for (double milliseconds : sample.milliseconds)
      EXPECT_GT(milliseconds, 0.0);
  }
  double bandwidth = llvm::cantFail(device->copyBandwidth(256 << 20));
  EXPECT_GT(bandwidth, 1e10);

  auto values = device->counters(
      timed, {"smsp__inst_executed.sum",
              "sm__warps_active.avg.pct_of_peak_sustained_active"});
  if (!values) { // a machine may refuse counters, but must say why
    std::string reason = llvm::toString(values.takeError());
    EXPECT_NE(reason.find("no hardware counters"), std::string::npos) << reason;
  } else {
    ASSERT_EQ(values->size(), 1u);
    EXPECT_GT((*values)[0]["smsp__inst_executed.sum"], 1e5);
  }
}

TEST_F(CudaDeviceTest, ReplaysTheSameBuffersAsAGraph) {
  auto loaded = llvm::cantFail(device->load(makeChain(7)));
  DeviceAddress other = llvm::cantFail(device->allocate(kCount * 4));
  auto run = [&](DeviceAddress result) {
    llvm::cantFail(device->fill(result, 0, kCount * 4));
    llvm::cantFail(loaded->run({buffers[0], buffers[1]}, {result}));
    EXPECT_TRUE(resultIs(result, 8)) << loaded->launches();
    return loaded->launches();
  };
  EXPECT_EQ(loaded->launches(), "");
  EXPECT_EQ(run(buffers[2]),
            "launched one by one: the first run with these buffers");
  for (int time = 0; time < 3; ++time)
    EXPECT_EQ(run(buffers[2]), "replayed as a CUDA graph");
  // The graph holds the old addresses.
  EXPECT_EQ(run(other),
            "launched one by one: the first run with these buffers");
  EXPECT_EQ(run(buffers[2]), "replayed as a CUDA graph");
  EXPECT_EQ(run(other),
            "launched one by one: the first run with these buffers");
  EXPECT_EQ(run(other), "replayed as a CUDA graph");
  ASSERT_FALSE(bool(device->checkGuards()));
}

TEST_F(CudaDeviceTest, TimesAGraph) {
  auto loaded = llvm::cantFail(device->load(makeChain(299)));
  DeviceAddress arguments[] = {buffers[0], buffers[1]},
                results[] = {buffers[2]};
  auto samples = llvm::cantFail(
      device->time({{loaded.get(), arguments, results}}, 5, 10.0));
  EXPECT_EQ(loaded->launches(), "replayed as a CUDA graph");
  // 300 launches were timed, not an empty graph: each moves 12 MiB in the L2.
  EXPECT_GT(samples[0].milliseconds.front(), 0.1);
  EXPECT_TRUE(resultIs(buffers[2], 300));
}

TEST_F(CudaDeviceTest, LaunchesFewStepsOneByOne) {
  auto loaded = llvm::cantFail(device->load(makeChain(2)));
  for (int time = 0; time < 3; ++time) {
    llvm::cantFail(loaded->run({buffers[0], buffers[1]}, {buffers[2]}));
    EXPECT_EQ(loaded->launches(),
              "launched one by one: it has fewer than 4 steps");
  }
}

TEST_F(CudaDeviceTest, MakesNoGraphWhereItIsSwitchedOff) {
  setenv("KERNELSKILL_CUDA_GRAPHS", "0", 1);
  auto loaded = llvm::cantFail(device->load(makeChain(7)));
  unsetenv("KERNELSKILL_CUDA_GRAPHS");
  for (int time = 0; time < 3; ++time) {
    llvm::cantFail(loaded->run({buffers[0], buffers[1]}, {buffers[2]}));
    EXPECT_EQ(loaded->launches(),
              "launched one by one: KERNELSKILL_CUDA_GRAPHS is 0");
  }
}

TEST_F(CudaDeviceTest, BecomesPartOfTheCallersGraph) {
  Program chain = makeChain(7);
  BufferRecord temporary = chain.buffers[2];
  temporary.kind = BufferKind::Temporary;
  chain.buffers.push_back(temporary);
  std::string bytes = serializeProgram(chain);
  KsProgram *program =
      ks_program_load_memory(bytes.data(), bytes.size(), "chain", "cuda:0");
  ASSERT_TRUE(program) << ks_last_error();
  void *arguments[] = {reinterpret_cast<void *>(buffers[0]),
                       reinterpret_cast<void *>(buffers[1])};
  void *results[] = {reinterpret_cast<void *>(buffers[2])};
  using Handle = void *;
  auto createStream =
      driverFunction<int (*)(Handle *, unsigned)>("cuStreamCreate");
  auto begin = driverFunction<int (*)(Handle, int)>("cuStreamBeginCapture_v2");
  auto end = driverFunction<int (*)(Handle, Handle *)>("cuStreamEndCapture");
  auto instantiate =
      driverFunction<int (*)(Handle *, Handle, unsigned long long)>(
          "cuGraphInstantiateWithFlags");
  auto launch = driverFunction<int (*)(Handle, Handle)>("cuGraphLaunch");
  auto wait = driverFunction<int (*)(Handle)>("cuStreamSynchronize");
  auto destroy = driverFunction<int (*)(Handle)>("cuStreamDestroy_v2");
  Handle stream = nullptr, graph = nullptr, ready = nullptr;
  ASSERT_EQ(createStream(&stream, 1), 0);

  // Its temporary is not allocated yet, which a capture can't take.
  ASSERT_EQ(begin(stream, 0), 0);
  EXPECT_EQ(ks_program_enqueue(program, arguments, results, stream), -1);
  EXPECT_NE(std::string(ks_last_error()).find("before capturing it"),
            std::string::npos)
      << ks_last_error();
  ASSERT_EQ(end(stream, &graph), 0) << "the caller's capture is spoilt";

  for (int time = 0; time < 2; ++time)
    ASSERT_EQ(ks_program_enqueue(program, arguments, results, stream), 0);
  EXPECT_STREQ(ks_program_launches(program), "replayed as a CUDA graph");
  ASSERT_EQ(begin(stream, 0), 0);
  ASSERT_EQ(ks_program_enqueue(program, arguments, results, stream), 0)
      << ks_last_error();
  EXPECT_STREQ(ks_program_launches(program),
               "launched one by one: the stream is being captured");
  ASSERT_EQ(end(stream, &graph), 0);
  ASSERT_EQ(instantiate(&ready, graph, 0), 0);
  ASSERT_EQ(wait(stream), 0);
  llvm::cantFail(device->fill(buffers[2], 0, kCount * 4));
  EXPECT_FALSE(resultIs(buffers[2], 8));
  ASSERT_EQ(launch(ready, stream), 0);
  ASSERT_EQ(wait(stream), 0);
  EXPECT_TRUE(resultIs(buffers[2], 8));
  ks_program_free(program);
  ASSERT_EQ(destroy(stream), 0);
}

// A launch that the driver refuses fails with the kernel's name, in a graph or
// not, and leaves the device usable.
TEST_F(CudaDeviceTest, NamesTheKernelThatCantBeLaunched) {
  Program chain = makeChain(7);
  chain.steps.back().block = {1024, 2, 1};
  auto loaded = llvm::cantFail(device->load(chain));
  for (int time = 0; time < 2; ++time) {
    std::string message =
        llvm::toString(loaded->run({buffers[0], buffers[1]}, {buffers[2]}));
    EXPECT_NE(message.find("launching kernel 'add': CUDA_ERROR_INVALID_VALUE"),
              std::string::npos)
        << message;
  }
  EXPECT_NE(loaded->launches().find("recording a CUDA graph failed: launching "
                                    "kernel 'add': CUDA_ERROR_INVALID_VALUE"),
            std::string::npos)
      << loaded->launches();
  ASSERT_FALSE(bool(run("add")));
}

TEST_F(CudaDeviceTest, FindsAWritePastTheEnd) {
  ASSERT_FALSE(bool(run("past")));
  EXPECT_EQ(faultOf(device->checkGuards()), FaultKind::OutOfBounds);
}

// A fault poisons the CUDA context of the process: lit runs these two with a
// filter, each in a process of its own (test/Runtime/cuda.test).
TEST_F(CudaDeviceTest, ReportsAWildWrite) {
  EXPECT_EQ(faultOf(run("wild")), FaultKind::IllegalAccess);
}

TEST_F(CudaDeviceTest, CutsAHang) {
  device->setTimeLimit(0.5);
  EXPECT_EQ(faultOf(run("hang")), FaultKind::Timeout);
  EXPECT_TRUE(bool(device->allocate(16).takeError()));
  // The driver's own exit handler would wait for the kernel.
  std::_Exit(HasFailure());
}

} // namespace
