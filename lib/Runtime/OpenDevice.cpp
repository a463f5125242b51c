// Opening a device by its name, and the names of faults.
#include "CpuDevice.h"
#include "CudaDevice.h"

using namespace llvm;
using namespace kernelskill;

char DeviceFault::ID = 0;

StringRef kernelskill::faultName(FaultKind kind) {
  switch (kind) {
  case FaultKind::None:
    return "no fault";
  case FaultKind::OutOfBounds:
    return "out of bounds";
  case FaultKind::UnwrittenRead:
    return "read of unwritten memory";
  case FaultKind::Deadlock:
    return "deadlock";
  case FaultKind::IllegalAccess:
    return "illegal access";
  case FaultKind::Timeout:
    return "timeout";
  case FaultKind::Race:
    return "race";
  case FaultKind::Trap:
    return "trap";
  case FaultKind::OutOfMemory:
    return "out of memory";
  case FaultKind::Other:
    return "fault";
  }
  llvm_unreachable("unknown fault");
}

Expected<std::unique_ptr<Device>> kernelskill::openDevice(StringRef name) {
  if (name == "cpu")
    return CpuDevice::open();
  unsigned index = 0;
  StringRef number = name;
  if (number.consume_front("cuda:") && !number.getAsInteger(10, index))
    return openCudaDevice(index);
  return createStringError("unknown device '" + name +
                           "', expected 'cpu' or 'cuda:N' (such as 'cuda:0')");
}
