// The handler changes the interrupted context so that, when it returns, the
// thread leaves its fiber; what runs on fibers holds no lock and no memory.
#include "CpuSignals.h"

#include <cerrno>
#include <cmath>
#include <ctime>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

using namespace kernelskill;

static int timeSignal() { return SIGRTMIN + 6; }

// The block of this thread, while its kernels run.
static thread_local CpuBlock *guardedBlock = nullptr;
// What the signals did before, for those that are not ours.
static struct sigaction *previousActions = nullptr;

static const int faultSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

#ifndef KERNELSKILL_FIBERS_PORTABLE
static void leaveInterrupted(CpuBlock *block) { leaveFiber(block->scheduler); }
#endif

/// Makes the interrupted fiber go to the scheduler, which finds block.fault.
static void endKernel(CpuBlock &block, void *context) {
  const CpuThread &thread = *block.current;
  for (unsigned axis = 0; axis < 3; ++axis) {
    block.fault.threadId[axis] = thread.threadId[axis];
    block.fault.blockId[axis] = thread.blockId[axis];
  }
  block.active = 0;
#ifdef KERNELSKILL_FIBERS_PORTABLE
  setcontext(&block.scheduler.saved);
#else
  // A stack that overflowed is of no use, so start at the top of the first one:
  // all fibers are abandoned anyway.
  FiberStack stack = block.stacks->stack(0);
  auto top = reinterpret_cast<uint64_t>(stack.bottom + stack.bytes);
  auto &registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
  registers[REG_RSP] = (top & ~uint64_t(15)) - 8;
  registers[REG_RDI] = reinterpret_cast<greg_t>(&block);
  registers[REG_RIP] = reinterpret_cast<greg_t>(&leaveInterrupted);
#endif
}

static void onFault(int signal, siginfo_t *info, void *context) {
  CpuBlock *block = guardedBlock;
  if (!block || !block->active) {
    // Not a kernel's: the previous handler gets it when the instruction is run
    // again (or the default action ends the process).
    for (unsigned index = 0; index < std::size(faultSignals); ++index)
      if (faultSignals[index] == signal)
        sigaction(signal, &previousActions[index], nullptr);
    return;
  }
  CpuFault &fault = block->fault;
  fault.hasOp = false;
  fault.address = reinterpret_cast<uint64_t>(info->si_addr);
  fault.bytes = signal;
  fault.what = CpuFault::What::Signal;
  fault.kind = signal == SIGSEGV || signal == SIGBUS ? FaultKind::IllegalAccess
               : signal == SIGFPE                    ? FaultKind::Other
                                                     : FaultKind::Trap;
  if (signal == SIGSEGV && block->stacks->inGuard(info->si_addr))
    fault.what = CpuFault::What::StackOverflow;
  endKernel(*block, context);
}

static void onTime(int, siginfo_t *, void *context) {
  CpuBlock *block = guardedBlock;
  if (!block || isSwitchingFibers())
    return; // the timer comes again
  block->expired = 1;
  if (!block->active)
    return; // the scheduler looks at `expired` before the next block
  block->fault.kind = FaultKind::Timeout;
  block->fault.what = CpuFault::What::TimeLimit;
  block->fault.hasOp = false;
  endKernel(*block, context);
}

CpuSignals::CpuSignals(CpuBlock &block, double seconds) {
  constexpr size_t stackBytes = 64 * 1024;
  handlerStack.reset(new uint8_t[stackBytes]);
  stack_t stack = {};
  stack.ss_sp = handlerStack.get();
  stack.ss_size = stackBytes;
  sigaltstack(&stack, &previousStack);

  guardedBlock = &block;
  previousActions = previous;
  struct sigaction action = {};
  sigemptyset(&action.sa_mask);
  // A kernel that is cut must not be cut again on the way out.
  sigaddset(&action.sa_mask, timeSignal());
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  action.sa_sigaction = onFault;
  int index = 0;
  for (int signal : faultSignals)
    sigaction(signal, &action, &previous[index++]);
  action.sa_sigaction = onTime;
  sigaction(timeSignal(), &action, &previous[index]);

  if (!(seconds > 0) || seconds > 1e8)
    return;
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = timeSignal();
  event._sigev_un._tid = syscall(SYS_gettid);
  hasTimer = timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
  if (!hasTimer)
    return;
  // Again and again: one that comes just before a fiber starts ends nothing.
  itimerspec when = {};
  when.it_interval.tv_nsec = 10000000;
  when.it_value.tv_sec = std::floor(seconds);
  when.it_value.tv_nsec = std::max(1.0, (seconds - std::floor(seconds)) * 1e9);
  timer_settime(timer, 0, &when, nullptr);
}

CpuSignals::~CpuSignals() {
  if (hasTimer)
    timer_delete(timer);
  guardedBlock = nullptr;
  // A signal that is on its way is dropped by ignoring it before the old action
  // comes back.
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(timeSignal(), &ignore, nullptr);
  int index = 0;
  for (int signal : faultSignals)
    sigaction(signal, &previous[index++], nullptr);
  sigaction(timeSignal(), &previous[index], nullptr);
  sigaltstack(&previousStack, nullptr);
}
