// A kernel stage lowered to a program and run on the CPU device.
#include "KernelSkill/IR/KernelSkillDialect.h"
#include "KernelSkill/Lowering/Lowering.h"
#include "KernelSkill/Runtime/Device.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace kernelskill;

namespace {
class Lowered : public testing::Test {
protected:
  Lowered() {
    mlir::DialectRegistry registry;
    registry.insert<KernelSkillDialect, mlir::arith::ArithDialect,
                    mlir::func::FuncDialect, mlir::gpu::GPUDialect,
                    mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect,
                    mlir::math::MathDialect, mlir::memref::MemRefDialect,
                    mlir::scf::SCFDialect, mlir::vector::VectorDialect>();
    context.appendDialectRegistry(registry);
    llvm::Expected<std::unique_ptr<Device>> opened = openDevice("cpu");
    EXPECT_TRUE(bool(opened));
    device = std::move(*opened);
  }

  /// Lowers a module of one kernel that no host function launches.
  std::optional<Program> lower(llvm::StringRef text) {
    auto module =
        mlir::parseSourceString<mlir::ModuleOp>(text, &context, "kernel.mlir");
    EXPECT_TRUE(module);
    LoweringOptions options;
    options.ptx = options.cubin = false;
    mlir::FailureOr<Program> program = lowerToProgram(*module, options);
    if (mlir::failed(program))
      return std::nullopt;
    return std::move(*program);
  }

  /// Runs it on the buffers (arguments in order), which are read back.
  llvm::Error run(const Program &program,
                  std::vector<std::vector<float>> &buffers) {
    auto loaded = device->load(program);
    if (!loaded)
      return loaded.takeError();
    std::vector<DeviceAddress> addresses;
    for (std::vector<float> &buffer : buffers) {
      auto address = device->allocate(buffer.size() * sizeof(float));
      if (!address)
        return address.takeError();
      addresses.push_back(*address);
      if (llvm::Error error = device->copyToDevice(
              *address, buffer.data(), buffer.size() * sizeof(float)))
        return error;
    }
    if (llvm::Error error = (*loaded)->run(addresses, {}))
      return error;
    for (auto [buffer, address] : llvm::zip_equal(buffers, addresses))
      if (llvm::Error error = device->copyFromDevice(
              buffer.data(), address, buffer.size() * sizeof(float)))
        return error;
    return device->checkGuards();
  }

  std::string fault(llvm::StringRef text,
                    std::vector<std::vector<float>> buffers) {
    std::optional<Program> program = lower(text);
    return program ? llvm::toString(run(*program, buffers)) : "not lowered";
  }

  mlir::MLIRContext context;
  std::unique_ptr<Device> device;
};
} // namespace

TEST_F(Lowered, RowSumsByWarpAndBlock) {
  std::optional<Program> program = lower(R"mlir(
gpu.module @k {
  gpu.func @rows(%x: memref<8x256xf32> {llvm.readonly, llvm.align = 16 : i64}, %y: memref<8xf32>)
      workgroup(%w: memref<2xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 8, 1, 1>} {
    %row = gpu.block_id x
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %column = arith.muli %t, %c4 : index
    %v = vector.load %x[%row, %column] {alignment = 16 : i64} : memref<8x256xf32>, vector<4xf32>
    %e = math.exp %v : vector<4xf32>
    %s = vector.reduction <add>, %e : vector<4xf32> into f32
    %all = gpu.subgroup_reduce add %s : (f32) -> f32
    %warp = arith.divui %t, %c32 : index
    %lane = arith.remui %t, %c32 : index
    %first = arith.cmpi eq, %lane, %c0 : index
    scf.if %first {
      memref.store %all, %w[%warp] : memref<2xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %zeroth = arith.cmpi eq, %t, %c0 : index
    scf.if %zeroth {
      %a = memref.load %w[%c0] : memref<2xf32, #gpu.address_space<workgroup>>
      %b = memref.load %w[%c1] : memref<2xf32, #gpu.address_space<workgroup>>
      %sum = arith.addf %a, %b : f32
      %root = math.sqrt %sum : f32
      memref.store %root, %y[%row] : memref<8xf32>
    }
    gpu.return
  }
}
)mlir");
  ASSERT_TRUE(program);
  EXPECT_TRUE(program->kernels[0].blocking);
  EXPECT_FALSE(program->buffers[0].written);
  EXPECT_TRUE(program->buffers[1].written);
  std::vector<std::vector<float>> buffers{std::vector<float>(8 * 256),
                                          std::vector<float>(8)};
  for (size_t i = 0; i < buffers[0].size(); ++i)
    buffers[0][i] = float(i % 37) / 37;
  std::vector<float> x = buffers[0];
  llvm::Error error = run(*program, buffers);
  ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
  for (unsigned row = 0; row < 8; ++row) {
    double sum = 0;
    for (unsigned column = 0; column < 256; ++column)
      sum += std::exp(double(x[row * 256 + column]));
    EXPECT_NEAR(buffers[1][row], std::sqrt(sum), 1e-5);
  }
}

TEST_F(Lowered, OutOfBoundsNamesTheOperation) {
  std::string message = fault(R"mlir(
gpu.module @k {
  gpu.func @f(%x: memref<4xf32>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<4xf32>
    memref.store %v, %x[%t] : memref<4xf32>
    gpu.return
  }
}
)mlir",
                              {std::vector<float>(4)});
  EXPECT_NE(message.find("kernel.mlir:6:10: memref.load"), std::string::npos)
      << message;
}

TEST_F(Lowered, UnwrittenSharedReadNamesTheOperation) {
  std::string message = fault(R"mlir(
gpu.module @k {
  gpu.func @f(%x: memref<64xf32>)
      workgroup(%w: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %t = gpu.thread_id x
    %v = memref.load %w[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %v, %x[%t] : memref<64xf32>
    gpu.return
  }
}
)mlir",
                              {std::vector<float>(64)});
  EXPECT_NE(message.find("kernel.mlir:7:10: memref.load"), std::string::npos)
      << message;
}

TEST_F(Lowered, WaitingAtTwoPlacesIsADeadlock) {
  std::string message = fault(R"mlir(
gpu.module @k {
  gpu.func @f(%x: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %t = gpu.thread_id x
    %all = arith.constant -1 : i32
    %c7 = arith.constant 7 : index
    %some = arith.cmpi eq, %t, %c7 : index
    scf.if %some {
      gpu.barrier
    } else {
      nvvm.bar.warp.sync %all : i32
    }
    gpu.return
  }
}
)mlir",
                              {std::vector<float>(64)});
  EXPECT_NE(message.find("kernel.mlir:"), std::string::npos) << message;
}

TEST_F(Lowered, AtomicsAndMaskedTails) {
  std::optional<Program> program = lower(R"mlir(
gpu.module @k {
  gpu.func @f(%x: memref<37xf32> {llvm.readonly}, %sum: memref<1xf32>) kernel
      attributes {known_block_size = array<i32: 10, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c37 = arith.constant 37 : index
    %i = arith.muli %t, %c4 : index
    %left = arith.subi %c37, %i : index
    %mask = vector.create_mask %left : vector<4xi1>
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %v = vector.maskedload %x[%i], %mask, %zero : memref<37xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %s = vector.reduction <add>, %v : vector<4xf32> into f32
    %old = memref.atomic_rmw addf %s, %sum[%c0] : (f32, memref<1xf32>) -> f32
    gpu.return
  }
}
)mlir");
  ASSERT_TRUE(program);
  std::vector<std::vector<float>> buffers{std::vector<float>(37, 1.0f),
                                          std::vector<float>(1, 0.0f)};
  llvm::Error error = run(*program, buffers);
  ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
  EXPECT_EQ(buffers[1][0], 37.0f);
}
