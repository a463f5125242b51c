// Ctrl-C: the first one asks the run to stop and keep the best, a later one
// ends the process.
#ifndef KERNELSKILL_LIB_DRIVER_INTERRUPT_H
#define KERNELSKILL_LIB_DRIVER_INTERRUPT_H

namespace kernelskill {
/// From now on SIGINT and SIGTERM only set a flag; waits on children see it.
void catchInterrupts();
bool interrupted();
} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_INTERRUPT_H
