// Hostile candidates: whatever one does, it gets its verdict, and the one after
// it is judged as if nothing had been. On the CPU device, and on a GPU where
// there is one, in a real worker process.
#include "../../lib/Driver/OutputFile.h"
#include "../../lib/Driver/Worker.h"
#include "KernelSkill/Driver/Registration.h"
#include "KernelSkill/Lowering/Lowering.h"
#include "KernelSkill/Verify/Oracle.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace kernelskill;

namespace {

const char *const payload = R"(
func.func @forward(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %empty = tensor.empty() : tensor<1000xf32>
  %z = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%x : tensor<1000xf32>) outs(%empty : tensor<1000xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %r = arith.addf %a, %a : f32
    linalg.yield %r : f32
  } -> tensor<1000xf32>
  return %z : tensor<1000xf32>
})";

/// z = 2 x, after `body`; the host allocates `spare` floats and passes them.
std::string candidate(StringRef body, StringRef spare = "4") {
  std::string text = R"(
module attributes {gpu.container_module} {
func.func @forward(%x: memref<1000xf32>, %z: memref<1000xf32> {kernelskill.result}) {
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %block = arith.constant 256 : index
  %m = memref.alloc() : memref<SPARExf32>
  gpu.launch_func @kernels::@run blocks in (%four, %one, %one) threads in (%block, %one, %one)
    args(%x : memref<1000xf32>, %z : memref<1000xf32>, %m : memref<SPARExf32>)
  return
}
gpu.module @kernels {
  gpu.func @run(%x: memref<1000xf32>, %z: memref<1000xf32>, %m: memref<SPARExf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %n = arith.constant 1000 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %first = arith.muli %b, %c256 : index
    %i = arith.addi %first, %t : index
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %a = memref.load %x[%i] : memref<1000xf32>
      %r = arith.addf %a, %a : f32
      BODY
      memref.store %r, %z[%i] : memref<1000xf32>
    }
    gpu.return
  }
}
})";
  for (auto [name, value] :
       std::initializer_list<std::pair<StringRef, StringRef>>{{"BODY", body},
                                                              {"SPARE", spare}})
    for (size_t at; (at = text.find(name)) != std::string::npos;)
      text.replace(at, name.size(), value.str());
  return text;
}

struct Hostile {
  const char *name;
  std::string text;
  std::vector<VerdictKind> kinds;
};

std::vector<Hostile> hostileCandidates() {
  std::vector<VerdictKind> crash = {VerdictKind::Crash};
  return {
      {"wild write", candidate(R"(
      %far = arith.constant 123456789012 : index
      %to = arith.addi %i, %far : index
      memref.store %r, %z[%to] : memref<1000xf32>)"),
       crash},
      {"endless loop",
       candidate(R"(
      scf.while : () -> () {
        memref.store %r, %z[%i] : memref<1000xf32>
        %old = memref.load %m[%c0] : memref<4xf32>
        %never = arith.constant 77.0 : f32
        %go = arith.cmpf une, %old, %never : f32
        scf.condition(%go)
      } do {
        scf.yield
      })"),
       {VerdictKind::Hang}},
      {"trap", candidate(R"(
      %no = arith.cmpf oeq, %r, %a : f32
      cf.assert %no, "no")"),
       crash},
      {"more memory than there is",
       candidate("memref.store %r, %m[%i] : memref<4000000000000xf32>",
                 "4000000000000"),
       {VerdictKind::Crash, VerdictKind::Refused}},
  };
}

class Hostility : public testing::Test {
protected:
  void SetUp() override {
    registerUsedDialects(registry);
    context.emplace(registry);
    auto made = ScratchFolder::make();
    ASSERT_TRUE(bool(made));
    scratch.emplace(std::move(*made));
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    return mlir::parseSourceString<mlir::ModuleOp>(text, &*context);
  }
  std::string write(const std::string &name, const std::string &text,
                    const LoweringOptions &options) {
    auto module = parse(text);
    EXPECT_TRUE(bool(module)) << name;
    auto program = lowerToProgram(*module, options);
    EXPECT_TRUE(mlir::succeeded(program)) << name;
    std::string path = joinPath(scratch->path(), "candidate.ksp");
    if (mlir::succeeded(program))
      EXPECT_FALSE(bool(writeProgram(*program, path)));
    return path;
  }
  static std::string executable() {
    SmallString<128> path(sys::path::parent_path(thisExecutable()));
    sys::path::append(path, "..", "..", "bin", "kernelskill");
    if (sys::fs::exists(path))
      return path.str().str();
    auto found = sys::findProgramByName("kernelskill");
    return found ? *found : "kernelskill";
  }

  void judgeAll(StringRef device, const LoweringOptions &options) {
    auto module = parse(payload);
    ASSERT_TRUE(bool(module));
    auto oracle = buildOracle(*module, options);
    ASSERT_TRUE(mlir::succeeded(oracle));
    ASSERT_FALSE(bool(writeOracle(*oracle, scratch->path())));
    auto worker = Worker::start(device, scratch->path(), executable());
    ASSERT_TRUE(bool(worker)) << toString(worker.takeError());
    ASSERT_FALSE(bool(worker->setup(scratch->path())));
    for (const Hostile &hostile : hostileCandidates()) {
      auto verdict =
          worker->judge(write(hostile.name, hostile.text, options), "fp32", 60);
      ASSERT_TRUE(bool(verdict))
          << hostile.name << ": " << toString(verdict.takeError());
      EXPECT_TRUE(is_contained(hostile.kinds, verdict->kind))
          << hostile.name << ": " << verdictName(verdict->kind).str() << ": "
          << verdict->message;
      EXPECT_FALSE(verdict->message.empty()) << hostile.name;
      // The next one is innocent and must not suffer.
      auto next =
          worker->judge(write("innocent", candidate(""), options), "fp32", 60);
      ASSERT_TRUE(bool(next)) << toString(next.takeError());
      EXPECT_TRUE(next->right())
          << "after " << hostile.name << ": " << next->message;
    }
  }

  mlir::DialectRegistry registry;
  std::optional<mlir::MLIRContext> context;
  std::optional<ScratchFolder> scratch;
};

} // namespace

TEST_F(Hostility, EndsNoRunOnTheCpuDevice) {
  LoweringOptions options;
  options.ptx = options.cubin = false;
  judgeAll("cpu", options);
}

TEST_F(Hostility, EndsNoRunOnAGpu) {
  auto device = openDevice("cuda:0");
  if (!device)
    GTEST_SKIP() << toString(device.takeError());
  LoweringOptions options;
  options.cpu = options.cubin = false; // the driver assembles the PTX
  device->reset();
  judgeAll("cuda:0", options);
}
