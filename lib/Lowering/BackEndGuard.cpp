// LLVM's back ends end the process on what they can't select. This catches it.
#include "BackEnd.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include <mutex>

/// Leaves the guarded code instead of the process.
static void leave(void *reason, const char *text, bool) {
  *static_cast<std::string *>(reason) = text;
  if (auto *context = llvm::CrashRecoveryContext::GetCurrent())
    context->HandleExit(1);
}

bool kernelskill::runGuarded(llvm::function_ref<void()> code,
                             std::string &reason) {
  static std::mutex one; // handlers are the process's
  std::lock_guard<std::mutex> lock(one);
  reason = "it crashed";
  llvm::ScopedFatalErrorHandler handler(leave, &reason);
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext context;
  bool survived = context.RunSafely(code);
  llvm::CrashRecoveryContext::Disable();
  return survived;
}
