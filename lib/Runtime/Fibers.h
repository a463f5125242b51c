// Fibers: stacks of their own for the threads of a block, and the switch
// between them. Hand-written on x86-64 (a few ns), swapcontext elsewhere.
//
// Nothing here allocates or takes a lock after FiberStacks::ensure, so a signal
// handler may abandon a fiber at any instruction.
#ifndef KERNELSKILL_LIB_RUNTIME_FIBERS_H
#define KERNELSKILL_LIB_RUNTIME_FIBERS_H

#include "llvm/Support/Compiler.h"
#include "llvm/Support/Error.h"
#include <cstdint>

#if !defined(__x86_64__) || defined(KERNELSKILL_FIBERS_UCONTEXT)
#define KERNELSKILL_FIBERS_PORTABLE 1
#include <ucontext.h>
#endif

namespace kernelskill {

struct FiberStack {
  uint8_t *bottom = nullptr; // lowest usable byte; the guard page is below
  size_t bytes = 0;
};

/// A place to come back to. One that is running holds nothing of use.
struct FiberContext {
#ifdef KERNELSKILL_FIBERS_PORTABLE
  ucontext_t saved;
#else
  void *stackPointer = nullptr;
#endif
  // AddressSanitizer wants to know which stack it is on.
  FiberStack stack;
  void *fakeStack = nullptr;
};

/// Makes `fiber` call entry(argument), which must never return, when it is
/// switched to for the first time.
void initializeFiber(FiberContext &fiber, const FiberStack &stack,
                     void (*entry)(void *), void *argument);
/// Saves the running code in `from` and goes on with `to`.
#if defined(KERNELSKILL_FIBERS_PORTABLE) || LLVM_ADDRESS_SANITIZER_BUILD
void switchFiber(FiberContext &from, FiberContext &to);
#else
extern "C" void kernelskillSwitchStack(void **from, void *to);
inline void switchFiber(FiberContext &from, FiberContext &to) {
  kernelskillSwitchStack(&from.stackPointer, to.stackPointer);
}
#endif
/// Leaves the running fiber for good.
[[noreturn]] void leaveFiber(FiberContext &to);
/// To be called first by an entry function.
void fiberStarted(FiberContext &from);

/// Whether a signal came at an instruction at which no fiber may be left.
bool isSwitchingFibers();

/// Stacks that are mapped once and used again by every launch.
class FiberStacks {
public:
  static constexpr size_t stackBytes = 64 * 1024, guardBytes = 4096;

  FiberStacks() = default;
  FiberStacks(const FiberStacks &) = delete;
  ~FiberStacks();
  /// Makes sure that there are stacks 0 to count - 1, and clears what a fault
  /// left behind. Existing fibers are lost.
  llvm::Error ensure(unsigned count);
  FiberStack stack(unsigned index) const;
  bool inGuard(const void *address) const;

private:
  uint8_t *region = nullptr;
  unsigned count = 0;
};

} // namespace kernelskill

#endif // KERNELSKILL_LIB_RUNTIME_FIBERS_H
