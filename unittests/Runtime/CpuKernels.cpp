// Compiling and running test kernels; see the header.
#include "CpuKernels.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "gtest/gtest.h"

#include <numeric>

using namespace llvm;
using namespace kernelskill;

static const char *const declarations = R"(
%thread = type { [3 x i32], [3 x i32], [3 x i32], [3 x i32], ptr, ptr }
declare void @ks_cpu_load(ptr, ptr, i32, i32)
declare void @ks_cpu_store(ptr, ptr, i32, i32)
declare void @ks_cpu_atomic(ptr, ptr, i32, i32)
declare void @ks_cpu_barrier(ptr, i32)
declare void @ks_cpu_syncwarp(ptr, i32, i32)
declare i32 @ks_cpu_shuffle(ptr, i32, i32, i32, i32, i32, ptr, i32)
declare i32 @ks_cpu_vote(ptr, i32, i32, i32, i32)
declare void @ks_cpu_trap(ptr, i32)
define internal i32 @tid(ptr %t) alwaysinline {
  %v = load i32, ptr %t
  ret i32 %v
}
define internal i32 @bid(ptr %t) alwaysinline {
  %p = getelementptr %thread, ptr %t, i32 0, i32 1
  %v = load i32, ptr %p
  ret i32 %v
}
define internal i32 @bdim(ptr %t) alwaysinline {
  %p = getelementptr %thread, ptr %t, i32 0, i32 2
  %v = load i32, ptr %p
  ret i32 %v
}
define internal ptr @shared(ptr %t, i32 %i) alwaysinline {
  %p = getelementptr %thread, ptr %t, i32 0, i32 4
  %s = load ptr, ptr %p
  %e = getelementptr float, ptr %s, i32 %i
  ret ptr %e
}
define internal ptr @element(ptr %args, i32 %a, i32 %i) alwaysinline {
  %p = getelementptr ptr, ptr %args, i32 %a
  %q = load ptr, ptr %p
  %b = load ptr, ptr %q
  %e = getelementptr float, ptr %b, i32 %i
  ret ptr %e
}
)";

std::string kernelskill::compileKernels(StringRef ir) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module =
      parseAssemblyString(declarations + ir.str(), diagnostic, context);
  if (!module) {
    ADD_FAILURE() << diagnostic.getLineNo() << ": "
                  << diagnostic.getMessage().str();
    return {};
  }
  Triple triple(sys::getProcessTriple());
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, sys::getHostCPUName(), "", TargetOptions(), Reloc::PIC_,
      CodeModel::Small, CodeGenOptLevel::Default));
  module->setTargetTriple(triple);
  module->setDataLayout(machine->createDataLayout());
  // Optimized as Lowering does it, so that calls of the contract are moved only
  // as they may be.
  PassBuilder builder(machine.get());
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graphs;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2)
      .run(*module, modules);
  SmallString<0> object;
  raw_svector_ostream os(object);
  legacy::PassManager passes;
  machine->addPassesToEmitFile(passes, os, nullptr,
                               CodeGenFileType::ObjectFile);
  passes.run(*module);
  return object.str().str();
}

Program kernelskill::kernelProgram(StringRef ir, std::vector<int64_t> sizes,
                                   std::array<uint32_t, 3> grid,
                                   std::array<uint32_t, 3> block,
                                   uint32_t shared, bool blocking) {
  Program program;
  StepRecord step;
  for (auto [index, size] : enumerate(sizes)) {
    BufferRecord buffer;
    buffer.name = std::string(1, 'a' + index);
    bool isLast = index + 1 == sizes.size();
    buffer.kind = isLast ? BufferKind::Result : BufferKind::Argument;
    buffer.role = isLast ? "" : "input";
    buffer.shape = {size};
    program.buffers.push_back(buffer);
    LaunchArgument argument;
    argument.buffer = index;
    step.arguments.push_back(argument);
  }
  step.grid = grid;
  step.block = block;
  program.steps = {step};
  KernelRecord kernel;
  kernel.name = "k";
  kernel.staticShared = shared;
  kernel.blocking = blocking;
  for (unsigned op = 0; op < 8; ++op)
    kernel.cpuOps.push_back("op " + std::to_string(op));
  program.kernels = {kernel};
  program.images = {{ImageRecord::Kind::CpuObject, sys::getProcessTriple(),
                     compileKernels(ir)}};
  return program;
}

KernelRun::KernelRun(const Program &program) {
  device = cantFail(openDevice("cpu"));
  Expected<std::unique_ptr<LoadedProgram>> result = device->load(program);
  if (!result) {
    ADD_FAILURE() << toString(result.takeError());
    return;
  }
  loaded = std::move(*result);
  for (const BufferRecord &buffer : program.buffers) {
    buffers.push_back(cantFail(device->allocate(buffer.bytes())));
    cantFail(device->fill(buffers.back(), 0, buffer.bytes()));
  }
}

KernelRun::~KernelRun() {
  loaded.reset();
  for (DeviceAddress address : buffers)
    device->release(address);
}

std::vector<float> KernelRun::read(unsigned buffer) {
  std::vector<float> values(loaded->program().buffers[buffer].elements());
  cantFail(device->copyFromDevice(values.data(), buffers[buffer],
                                  values.size() * sizeof(float)));
  return values;
}

void KernelRun::write(unsigned buffer, ArrayRef<float> values) {
  cantFail(device->copyToDevice(buffers[buffer], values.data(),
                                values.size() * sizeof(float)));
}

FaultKind KernelRun::run() {
  if (!loaded)
    return FaultKind::Other;
  FaultKind kind = FaultKind::None;
  ArrayRef<DeviceAddress> all(buffers);
  Error error = loaded->run(all.drop_back(), all.take_back());
  message.clear();
  handleAllErrors(
      std::move(error),
      [&](const DeviceFault &fault) {
        kind = fault.kind;
        message = fault.message;
      },
      [&](const ErrorInfoBase &other) {
        kind = FaultKind::Other;
        message = other.message();
      });
  return kind;
}

std::string kernelskill::kernel(StringRef body) {
  return ("define void @k(ptr %t, ptr %args) {\nentry:\n"
          "  %tid = call i32 @tid(ptr %t)\n" +
          body + "\n}\n")
      .str();
}

const char *const kernelskill::vectorAdd = R"(
define void @k(ptr %t, ptr %args) {
  %tid = call i32 @tid(ptr %t)
  %bid = call i32 @bid(ptr %t)
  %dim = call i32 @bdim(ptr %t)
  %base = mul i32 %bid, %dim
  %i = add i32 %base, %tid
  %pa = call ptr @element(ptr %args, i32 0, i32 %i)
  call void @ks_cpu_load(ptr %t, ptr %pa, i32 4, i32 0)
  %a = load float, ptr %pa
  %pb = call ptr @element(ptr %args, i32 1, i32 %i)
  call void @ks_cpu_load(ptr %t, ptr %pb, i32 4, i32 1)
  %b = load float, ptr %pb
  %s = fadd float %a, %b
  %pc = call ptr @element(ptr %args, i32 2, i32 %i)
  call void @ks_cpu_store(ptr %t, ptr %pc, i32 4, i32 2)
  store float %s, ptr %pc
  ret void
})";

std::vector<float> kernelskill::counted(size_t size) {
  std::vector<float> values(size);
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}
