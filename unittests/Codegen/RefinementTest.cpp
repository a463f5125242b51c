// Refined kernels compute what they computed before.
#include "KernelSkill/Driver/Registration.h"
#include "KernelSkill/Lowering/Lowering.h"
#include "KernelSkill/Runtime/Device.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace kernelskill;

namespace {
struct RefinementTest : testing::Test {
  MLIRContext context;
  RefinementTest() {
    DialectRegistry registry;
    registerUsedDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// What the kernel leaves in its last argument, all f32.
  std::vector<float> run(llvm::StringRef kernel, llvm::StringRef refinement);
  llvm::Expected<std::vector<float>> runOnCpu(const Program &program);
  void check(llvm::StringRef kernel, llvm::StringRef refinement) {
    std::vector<float> before = run(kernel, "");
    ASSERT_FALSE(before.empty());
    EXPECT_EQ(run(kernel, refinement), before);
  }
};

llvm::Expected<std::vector<float>>
RefinementTest::runOnCpu(const Program &program) {
  auto device = openDevice("cpu");
  if (!device)
    return device.takeError();
  std::vector<DeviceAddress> arguments;
  std::vector<float> values;
  for (uint32_t number : program.buffersOf(BufferKind::Argument)) {
    auto address = (*device)->allocate(program.buffers[number].bytes());
    if (!address)
      return address.takeError();
    arguments.push_back(*address);
    values.resize(program.buffers[number].elements());
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = float(i % 1013) - 500;
    if (llvm::Error error = (*device)->copyToDevice(
            *address, values.data(), values.size() * sizeof(float)))
      return error;
  }
  auto loaded = (*device)->load(program);
  if (!loaded)
    return loaded.takeError();
  if (llvm::Error error = (*loaded)->run(arguments, {}))
    return error;
  if (llvm::Error error = (*device)->checkGuards())
    return error;
  if (llvm::Error error = (*device)->copyFromDevice(
          values.data(), arguments.back(), values.size() * sizeof(float)))
    return error;
  return values;
}

std::vector<float> RefinementTest::run(llvm::StringRef kernel,
                                       llvm::StringRef refinement) {
  auto module = parseSourceString<ModuleOp>(
      ("module attributes {gpu.container_module} { gpu.module @kernels {" +
       kernel + "} }")
          .str(),
      &context);
  auto recipe = parseSourceString<ModuleOp>(
      ("module attributes {transform.with_named_sequence} {\n"
       "transform.named_sequence @go(%k: !transform.any_op "
       "{transform.readonly}) {\n%n = transform.param.constant 4 : i64 -> "
       "!transform.param<i64>\n" +
       refinement + "\ntransform.yield\n}\n}")
          .str(),
      &context);
  if (!module || !recipe) {
    ADD_FAILURE() << "does not parse";
    return {};
  }
  gpu::GPUFuncOp payload;
  module->walk([&](gpu::GPUFuncOp func) { payload = func; });
  auto entry = cast<transform::NamedSequenceOp>(recipe->lookupSymbol("go"));
  if (failed(transform::applyTransformNamedSequence(
          payload, entry, *recipe, transform::TransformOptions()))) {
    ADD_FAILURE() << "the refinement failed";
    return {};
  }
  LoweringOptions options;
  options.ptx = options.cubin = false;
  FailureOr<Program> program = lowerToProgram(*module, options);
  if (failed(program)) {
    ADD_FAILURE() << "the lowering failed";
    return {};
  }
  llvm::Expected<std::vector<float>> values = runOnCpu(*program);
  if (!values) {
    ADD_FAILURE() << llvm::toString(values.takeError());
    return {};
  }
  return *values;
}
} // namespace

TEST_F(RefinementTest, InterchangedThreads) {
  // Shared memory and a barrier are all the same to an interchange.
  check(R"(
    gpu.func @rows(%x: memref<64x32xf32>, %y: memref<64x32xf32>)
        workgroup(%tile: memref<32x8xf32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 32, 8, 1>,
                           known_grid_size = array<i32: 2, 4, 1>} {
      %c8 = arith.constant 8 : index
      %c31 = arith.constant 31 : index
      %row = gpu.global_id x
      %by = gpu.block_id y
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %first = arith.muli %by, %c8 : index
      %column = arith.addi %first, %ty : index
      %a = memref.load %x[%row, %column] : memref<64x32xf32>
      memref.store %a, %tile[%tx, %ty] : memref<32x8xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %other = arith.subi %c31, %tx : index
      %b = memref.load %tile[%other, %ty] : memref<32x8xf32, #gpu.address_space<workgroup>>
      %sum = arith.addf %a, %b : f32
      memref.store %sum, %y[%row, %column] : memref<64x32xf32>
      gpu.return
    })",
        "transform.kernelskill.coalesce_threads %k : !transform.any_op");
}

TEST_F(RefinementTest, DealtChunks) {
  check(R"(
    gpu.func @chunks(%x: memref<1000xf32>, %y: memref<2000xf32>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>,
                           known_grid_size = array<i32: 3, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c7 = arith.constant 7 : index
      %c1000 = arith.constant 1000 : index
      %thread = gpu.global_id x
      %first = arith.muli %thread, %c7 : index
      scf.for %i = %c0 to %c7 step %c1 {
        %at = arith.addi %i, %first : index
        %inside = arith.cmpi ult, %at, %c1000 : index
        scf.if %inside {
          %a = memref.load %x[%at] : memref<1000xf32>
          %double = arith.muli %at, %c2 : index
          %b = memref.load %y[%double] : memref<2000xf32>
          %sum = arith.addf %a, %b : f32
          memref.store %sum, %y[%double] : memref<2000xf32>
        }
      }
      gpu.return
    })",
        "transform.kernelskill.coalesce_threads %k : !transform.any_op");
}

TEST_F(RefinementTest, UnrolledLoops) {
  check(R"(
    gpu.func @row(%x: memref<32x10xf32>, %y: memref<32xf32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>,
                           known_grid_size = array<i32: 1, 1, 1>} {
      %zero = arith.constant 0.0 : f32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c10 = arith.constant 10 : index
      %row = gpu.thread_id x
      %sum = scf.for %i = %c0 to %c10 step %c1 iter_args(%before = %zero) -> f32 {
        %a = memref.load %x[%row, %i] : memref<32x10xf32>
        %after = arith.addf %before, %a : f32
        scf.yield %after : f32
      }
      memref.store %sum, %y[%row] : memref<32xf32>
      gpu.return
    })",
        "transform.kernelskill.unroll %k factor = %n : !transform.any_op");
}
