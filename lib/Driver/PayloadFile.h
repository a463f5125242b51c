// The payload that a command is given: MLIR, or Python that is imported first.
#ifndef KERNELSKILL_LIB_DRIVER_PAYLOADFILE_H
#define KERNELSKILL_LIB_DRIVER_PAYLOADFILE_H

#include "Options.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace kernelskill {

struct PayloadFile {
  std::string given; // IN, for people
  std::string path;  // a copy, with locations, that children read
  std::string hash;  // of the canonical text, 16 hexadecimal digits
};

/// Parses and verifies a module of MLIR text or bytecode; one input error that
/// names the place otherwise.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
parseModule(llvm::StringRef path, mlir::MLIRContext &context);

/// Reads IN, importing a .py by a child, checks that it is a payload, and
/// leaves a copy at `folder`/payload.mlir.
llvm::Expected<PayloadFile> loadPayload(const Options &options,
                                        llvm::StringRef folder);

/// The folder of this installation (or source) that holds `relative`, found by
/// walking up from the executable; empty if there is none.
std::string findInstalled(llvm::StringRef relative);

/// The command that imports a .py (Python and script), or what is missing and
/// what to do, with exit code Tool.
llvm::Expected<std::vector<std::string>> importerCommand();

} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_PAYLOADFILE_H
