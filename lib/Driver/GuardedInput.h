// Reads a user's file in a child first. The parser calls itself for each level
// of nesting, so that a file can use up any stack; then the child dies of it,
// and this process, which has twice the stack, only says so.
#ifndef KERNELSKILL_LIB_DRIVER_GUARDEDINPUT_H
#define KERNELSKILL_LIB_DRIVER_GUARDEDINPUT_H

#include "DriverError.h"

#include <string>
#include <vector>

namespace kernelskill {

/// What a payload's child found; it leaves `folder`/payload.mlir, a copy with
/// locations.
struct ReadPayload {
  std::string hash;
};
/// `name` is what messages call the file.
llvm::Expected<ReadPayload> readPayloadGuarded(llvm::StringRef path,
                                               llvm::StringRef name,
                                               llvm::StringRef folder);
/// Success if this process can read the recipe, or the skills, as well.
llvm::Error checkRecipeGuarded(llvm::StringRef path);
llvm::Error checkSkillsGuarded(llvm::ArrayRef<std::string> folders);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_GUARDEDINPUT_H
