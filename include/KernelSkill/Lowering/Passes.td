//===- Passes.td - passes of the Lowering room ---------------------------------===//
#ifndef KERNELSKILL_LOWERING_PASSES_TD
#define KERNELSKILL_LOWERING_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerToProgram : Pass<"kernelskill-lower-to-program", "::mlir::ModuleOp"> {
  let summary = "write the program of a kernel stage to a file";
  let description = [{
    Reads the plan from the host function (or makes one for a single kernel that
    no host function launches), lowers the kernels to PTX, a cubin and an object
    for the CPU device, and writes the program file. Leaves the module as it was.
  }];
  let options = [
    Option<"output", "output", "std::string", "\"\"", "Path of the program file; none: only check that it lowers">,
    Option<"chip", "chip", "std::string", "\"sm_90a\"", "Chip of the chip table">,
    Option<"ptxVersion", "ptx-version", "std::string", "\"\"", "PTX version as a feature (+ptx80); none: the chip's least">,
    Option<"ptx", "ptx", "bool", "true", "Put PTX into the program">,
    Option<"cubin", "cubin", "bool", "true", "Put ptxas' output into the program">,
    Option<"cpu", "cpu", "bool", "true", "Put an object for the CPU device into the program">,
    Option<"checks", "checks", "bool", "true", "Check every access on the CPU device">,
    Option<"ptxas", "ptxas", "std::string", "\"\"", "Path of ptxas; none: found on the machine">,
    Option<"libdevice", "libdevice", "std::string", "\"\"", "Path of libdevice; none: found on the machine">,
    Option<"ptxasSeconds", "ptxas-seconds", "double", "60", "Seconds that ptxas may take">
  ];
}

def LowerToPtx : Pass<"kernelskill-lower-to-ptx", "::mlir::ModuleOp"> {
  let summary = "replace the kernels by their PTX";
  let description = [{
    Lowers the kernels like kernelskill-lower-to-program, and prints their PTX to
    standard output. Leaves the module as it was.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_90a\"", "Chip of the chip table">,
    Option<"ptxVersion", "ptx-version", "std::string", "\"\"", "PTX version as a feature (+ptx80); none: the chip's least">,
    Option<"libdevice", "libdevice", "std::string", "\"\"", "Path of libdevice; none: found on the machine">
  ];
}

def LowerToCpu : Pass<"kernelskill-lower-to-cpu", "::mlir::ModuleOp"> {
  let summary = "lower the kernels to functions of the CPU device";
  let description = [{
    Replaces the module's contents by one gpu.module of LLVM functions as the CPU
    device runs them (include/KernelSkill/Runtime/CpuAbi.h). Each function's
    `kernelskill_ops` lists the operations that its numbers stand for.
  }];
  let options = [
    Option<"checks", "checks", "bool", "true", "Check every access">
  ];
}

#endif // KERNELSKILL_LOWERING_PASSES_TD
