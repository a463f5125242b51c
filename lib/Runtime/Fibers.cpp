// The switch between fibers and their stacks; see the header.
#include "Fibers.h"

#include "llvm/Support/Compiler.h"
#include <algorithm>
#include <csignal>
#include <sys/mman.h>

#if LLVM_ADDRESS_SANITIZER_BUILD
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

using namespace kernelskill;

// What AddressSanitizer must be told around a switch. It refuses a second one
// before the first is over.
#if LLVM_ADDRESS_SANITIZER_BUILD
static volatile sig_atomic_t switching = 0;
bool kernelskill::isSwitchingFibers() { return switching; }
#else
bool kernelskill::isSwitchingFibers() { return false; }
#endif

static void beforeSwitch(void **fakeStack, const FiberContext &to) {
#if LLVM_ADDRESS_SANITIZER_BUILD
  switching = 1;
  __sanitizer_start_switch_fiber(fakeStack, to.stack.bottom, to.stack.bytes);
#endif
}

static void afterSwitch(void *fakeStack, FiberStack *cameFrom) {
#if LLVM_ADDRESS_SANITIZER_BUILD
  const void *bottom = nullptr;
  size_t bytes = 0;
  __sanitizer_finish_switch_fiber(fakeStack, &bottom, &bytes);
  switching = 0;
  if (cameFrom)
    *cameFrom = {const_cast<uint8_t *>(static_cast<const uint8_t *>(bottom)),
                 bytes};
#endif
}

void kernelskill::fiberStarted(FiberContext &from) {
  afterSwitch(nullptr, &from.stack);
}

#ifdef KERNELSKILL_FIBERS_PORTABLE

static void portableEntry(unsigned entryHigh, unsigned entryLow,
                          unsigned argumentHigh, unsigned argumentLow) {
  auto join = [](unsigned high, unsigned low) {
    return uint64_t(high) << 32 | low;
  };
  auto *entry = reinterpret_cast<void (*)(void *)>(join(entryHigh, entryLow));
  entry(reinterpret_cast<void *>(join(argumentHigh, argumentLow)));
}

void kernelskill::initializeFiber(FiberContext &fiber, const FiberStack &stack,
                                  void (*entry)(void *), void *argument) {
  fiber.stack = stack;
  fiber.fakeStack = nullptr;
  getcontext(&fiber.saved);
  fiber.saved.uc_stack.ss_sp = stack.bottom;
  fiber.saved.uc_stack.ss_size = stack.bytes;
  fiber.saved.uc_link = nullptr;
  auto code = reinterpret_cast<uint64_t>(entry);
  auto data = reinterpret_cast<uint64_t>(argument);
  // makecontext hands over ints only.
  makecontext(&fiber.saved, reinterpret_cast<void (*)()>(portableEntry), 4,
              unsigned(code >> 32), unsigned(code), unsigned(data >> 32),
              unsigned(data));
}

void kernelskill::switchFiber(FiberContext &from, FiberContext &to) {
  beforeSwitch(&from.fakeStack, to);
  swapcontext(&from.saved, &to.saved);
  afterSwitch(from.fakeStack, nullptr);
}

void kernelskill::leaveFiber(FiberContext &to) {
  beforeSwitch(nullptr, to);
  setcontext(&to.saved);
  __builtin_unreachable();
}

#else

// kernelskillSwitchStack(void **from, void *to): the registers that a callee
// must keep go to the old stack and come back from the new one. Fibers wait at
// few places, so the processor's prediction of `ret` is mostly right although
// the stack is another one; a jump would put every later `ret` out of step.
// kernelskillFiberStart: where a new fiber begins, with the entry function and
// its argument in registers.
asm(R"(
  .text
  .p2align 4
  .hidden kernelskillSwitchStack
  .globl kernelskillSwitchStack
  .type kernelskillSwitchStack, @function
kernelskillSwitchStack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size kernelskillSwitchStack, .-kernelskillSwitchStack

  .p2align 4
  .hidden kernelskillFiberStart
  .globl kernelskillFiberStart
  .type kernelskillFiberStart, @function
kernelskillFiberStart:
  movq %r12, %rdi
  callq *%rbx
  ud2
  .size kernelskillFiberStart, .-kernelskillFiberStart
)");
extern "C" void kernelskillSwitchStack(void **from, void *to);
extern "C" void kernelskillFiberStart();

void kernelskill::initializeFiber(FiberContext &fiber, const FiberStack &stack,
                                  void (*entry)(void *), void *argument) {
  fiber.stack = stack;
  fiber.fakeStack = nullptr;
  // r15, r14, r13, r12, rbx, rbp, the address to go to; what is then left is
  // aligned to 16, as the call in kernelskillFiberStart needs it.
  auto **top = reinterpret_cast<void **>(stack.bottom + stack.bytes) - 9;
  std::fill(top, top + 9, nullptr);
  top[3] = argument;
  top[4] = reinterpret_cast<void *>(entry);
  top[6] = reinterpret_cast<void *>(kernelskillFiberStart);
  fiber.stackPointer = top;
}

#if LLVM_ADDRESS_SANITIZER_BUILD
void kernelskill::switchFiber(FiberContext &from, FiberContext &to) {
  beforeSwitch(&from.fakeStack, to);
  kernelskillSwitchStack(&from.stackPointer, to.stackPointer);
  afterSwitch(from.fakeStack, nullptr);
}
#endif

void kernelskill::leaveFiber(FiberContext &to) {
  beforeSwitch(nullptr, to);
  void *abandoned;
  kernelskillSwitchStack(&abandoned, to.stackPointer);
  __builtin_unreachable();
}

#endif

static constexpr size_t strideBytes =
    FiberStacks::stackBytes + FiberStacks::guardBytes;

FiberStacks::~FiberStacks() {
  if (region)
    munmap(region, count * strideBytes);
}

llvm::Error FiberStacks::ensure(unsigned wanted) {
  if (count < wanted) {
    // A few sizes only, so that growing happens seldom.
    unsigned rounded = wanted <= 64 ? 64 : wanted <= 256 ? 256 : 1024;
    void *pages = mmap(nullptr, rounded * strideBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED)
      return llvm::createStringError(
          "the CPU device got no memory for the stacks of " +
          llvm::Twine(wanted) + " threads");
    if (region)
      munmap(region, count * strideBytes);
    region = static_cast<uint8_t *>(pages);
    count = rounded;
    for (unsigned index = 0; index < count; ++index)
      mprotect(region + index * strideBytes, guardBytes, PROT_NONE);
  }
#if LLVM_ADDRESS_SANITIZER_BUILD
  for (unsigned index = 0; index < count; ++index)
    ASAN_UNPOISON_MEMORY_REGION(stack(index).bottom, stackBytes);
#endif
  return llvm::Error::success();
}

FiberStack FiberStacks::stack(unsigned index) const {
  // Tops are staggered, or the hot words of all stacks would fight for the same
  // few sets of the first cache.
  size_t stagger = index * 192 % 4096;
  return {region + index * strideBytes + guardBytes, stackBytes - stagger};
}

bool FiberStacks::inGuard(const void *address) const {
  size_t offset = static_cast<const uint8_t *>(address) - region;
  return region && offset < count * strideBytes &&
         offset % strideBytes < guardBytes;
}
