// Running a program's steps on the CPU; see the header.
#include "CpuProgram.h"

#include "CpuSignals.h"

using namespace llvm;
using namespace kernelskill;

CpuProgram::~CpuProgram() {
  for (DeviceAddress address : owned)
    device.release(address);
}

Error CpuProgram::bind(ArrayRef<DeviceAddress> given, BufferKind kind) {
  std::vector<uint32_t> buffers = loaded.buffersOf(kind);
  StringRef what = kind == BufferKind::Argument ? "argument" : "result";
  if (given.size() != buffers.size())
    return createStringError("the program takes " + Twine(buffers.size()) +
                             " " + what + "s, but got " + Twine(given.size()));
  for (auto [index, address] : zip_equal(buffers, given)) {
    const BufferRecord &buffer = loaded.buffers[index];
    Expected<void *> place = device.memory.find(
        address, buffer.bytes(), (what + " '" + buffer.name + "'").str());
    if (!place)
      return place.takeError();
    addresses[index] = address;
  }
  return Error::success();
}

Error CpuProgram::allocateOwned() {
  for (auto [buffer, address] : zip_equal(loaded.buffers, addresses)) {
    if (buffer.kind != BufferKind::Temporary &&
        buffer.kind != BufferKind::Constant)
      continue;
    Expected<DeviceAddress> memory = device.allocate(buffer.bytes());
    if (!memory)
      return memory.takeError();
    owned.push_back(address = *memory);
    if (Error error = buffer.kind == BufferKind::Constant
                          ? device.copyToDevice(address, buffer.data.data(),
                                                buffer.bytes())
                          : device.fill(address, 0xff, buffer.bytes()))
      return error;
  }
  return Error::success();
}

Error CpuProgram::run(ArrayRef<DeviceAddress> arguments,
                      ArrayRef<DeviceAddress> results) {
  if (addresses.empty()) {
    addresses.resize(loaded.buffers.size());
    if (Error error = allocateOwned()) {
      for (DeviceAddress address : owned)
        device.release(address);
      owned.clear();
      addresses.clear();
      return error;
    }
  }
  if (Error error = bind(arguments, BufferKind::Argument))
    return error;
  if (Error error = bind(results, BufferKind::Result))
    return error;
  CpuBlock &state = device.execution->state();
  state.expired = 0;
  state.active = 0;
  // What no launch writes has no races.
  for (auto [buffer, address] : zip_equal(loaded.buffers, addresses))
    if (buffer.kind == BufferKind::Result ||
        buffer.kind == BufferKind::Temporary || buffer.written)
      device.execution->watch(address);
  Error error = runSteps();
  device.execution->unwatchAll();
  return error;
}

Error CpuProgram::runSteps() {
  CpuSignals signals(device.execution->state(), device.timeLimit);
  for (const StepRecord &step : loaded.steps)
    if (Error error = step.kind == StepRecord::Kind::Copy ? runCopy(step)
                                                          : runLaunch(step))
      return error;
  return Error::success();
}

uint64_t CpuProgram::resolve(const LaunchArgument &argument) const {
  return argument.buffer < 0 ? argument.bits
                             : addresses[argument.buffer] + argument.byteOffset;
}

Error CpuProgram::runCopy(const StepRecord &step) {
  return device.copy(resolve(step.destination), resolve(step.source),
                     step.bytes);
}

Error CpuProgram::runLaunch(const StepRecord &step) {
  const KernelRecord &kernel = loaded.kernels[step.kernel];
  // Scalars are little-endian in `bits`, so their address serves every size.
  SmallVector<uint64_t, 16> values;
  for (const LaunchArgument &argument : step.arguments)
    values.push_back(resolve(argument));
  SmallVector<void *, 16> pointers;
  for (uint64_t &value : values)
    pointers.push_back(&value);
  CpuLaunch launch;
  launch.kernel = image->kernels()[step.kernel];
  launch.grid = step.grid;
  launch.block = step.block;
  launch.sharedBytes = kernel.staticShared + step.dynamicShared;
  launch.blocking = kernel.blocking;
  launch.arguments = pointers.data();
  if (Error error = device.execution->launch(launch))
    return error;
  if (device.execution->state().fault.kind == FaultKind::None)
    return Error::success();
  return describeFault(step);
}

//===-- Messages ----------------------------------------------------------===//

static std::string triple(const uint32_t (&id)[3]) {
  return formatv("({0}, {1}, {2})", id[0], id[1], id[2]);
}

static std::string opText(const KernelRecord &kernel, uint32_t op) {
  if (op < kernel.cpuOps.size())
    return kernel.cpuOps[op];
  return "operation " + std::to_string(op);
}

/// Where the address lies: in which buffer, or in shared memory.
static std::string placeText(const CpuBlock &block, const Program &program,
                             ArrayRef<DeviceAddress> addresses,
                             uint64_t address) {
  uint64_t shared = address - block.sharedBase;
  if (shared < CpuMemory::sharedArenaBytes)
    return formatv("at byte {0} of the block's {1} bytes of shared memory",
                   shared, block.sharedBytes);
  uint64_t slot = (address >> CpuMemory::slotBits) - block.firstSlot;
  if (slot >= block.slotCount || !block.extents[slot].begin)
    return formatv("at address {0:x}, where there is no buffer", address);
  const CpuMemory::Extent &extent = block.extents[slot];
  std::string name = "a buffer";
  for (auto [buffer, begin] : zip_equal(program.buffers, addresses))
    if (begin - extent.begin < std::max<uint64_t>(extent.bytes, 1))
      name = "buffer '" + buffer.name + "'";
  return formatv("at byte {0} of {1} of {2} bytes",
                 int64_t(address - extent.begin), name, extent.bytes);
}

/// How many threads wait where, and how many have ended.
static std::string waitsText(const CpuBlock &block,
                             const KernelRecord &kernel) {
  // In the order of the first thread that waits there.
  std::vector<std::pair<uint32_t, std::vector<uint32_t>>> places;
  unsigned exited = 0;
  for (uint32_t index = 0; index < block.threadCount; ++index) {
    const CpuThread &thread = block.threads[index];
    if (thread.wait == CpuWait::Exited) {
      ++exited;
      continue;
    }
    if (thread.wait == CpuWait::None)
      continue;
    auto place = find_if(
        places, [&](const auto &entry) { return entry.first == thread.op; });
    if (place == places.end())
      place = places.insert(places.end(), {thread.op, {}});
    place->second.push_back(index);
  }
  std::string text;
  for (const auto &[op, threads] : places)
    text += formatv("{0}{1} of {2} threads wait at {3} (the first is {4})",
                    text.empty() ? "" : ", ", threads.size(), block.threadCount,
                    opText(kernel, op),
                    triple(block.threads[threads.front()].threadId));
  if (exited)
    text += formatv("{0}{1} have ended", text.empty() ? "" : ", ", exited);
  return text;
}

/// Who did what at the same place, with nothing between.
std::string CpuProgram::raceText(const StepRecord &step) const {
  const CpuFault &fault = device.execution->state().fault;
  auto kind = [](RaceStamp stamp, bool writes) {
    return stamp & raceAtomic ? "atomic update" : writes ? "store" : "load";
  };
  auto ids = [](uint64_t linear, const std::array<uint32_t, 3> &sizes) {
    uint32_t id[3] = {uint32_t(linear % sizes[0]),
                      uint32_t(linear / sizes[0] % sizes[1]),
                      uint32_t(linear / sizes[0] / sizes[1])};
    return triple(id);
  };
  uint64_t block = device.execution->blockOfEpoch(raceEpoch(fault.past));
  bool same = block == device.execution->blockOfEpoch(raceEpoch(fault.mine));
  return formatv(
      "{0} of {1} bytes {2}, and {3} by block {4}, thread {5}, at {6}, with "
      "{7}",
      kind(fault.mine, fault.mineWrites), fault.bytes,
      placeText(device.execution->state(), loaded, addresses, fault.address),
      kind(fault.past, fault.pastWrites), ids(block, step.grid),
      ids(raceThread(fault.past), step.block),
      opText(loaded.kernels[step.kernel], raceOp(fault.past)),
      same ? "no barrier between" : "nothing to order the blocks");
}

Error CpuProgram::describeFault(const StepRecord &step) const {
  const CpuBlock &block = device.execution->state();
  const CpuFault &fault = block.fault;
  const KernelRecord &kernel = loaded.kernels[step.kernel];
  using What = CpuFault::What;
  std::string text;
  auto place = [&] {
    return placeText(block, loaded, addresses, fault.address);
  };
  switch (fault.what) {
  case What::Load:
  case What::Store:
  case What::Atomic:
    text = formatv("{0} of {1} bytes {2}",
                   fault.what == What::Load    ? "load"
                   : fault.what == What::Store ? "store"
                                               : "atomic update",
                   fault.bytes, place());
    break;
  case What::UnwrittenRead:
    text = formatv("load of {0} bytes {1}, which no thread of the block has "
                   "written yet",
                   fault.bytes, place());
    break;
  case What::Race:
    text = raceText(step);
    break;
  case What::Trap:
    text = "a device assertion failed or a trap was reached";
    break;
  case What::TimeLimit:
    text = formatv("the program ran longer than its limit of {0} s",
                   device.timeLimit);
    break;
  case What::Signal:
    text = fault.kind == FaultKind::IllegalAccess ? "access " + place()
           : fault.kind == FaultKind::Other
               ? "division by zero, or a quotient that overflows"
               : "a trap was reached";
    break;
  case What::StackOverflow:
    text = formatv("a thread needs more than {0} KiB of private memory",
                   FiberStacks::stackBytes / 1024);
    break;
  case What::Deadlock:
    text = waitsText(block, kernel);
    break;
  case What::DivergentBarrier:
    text = formatv("threads of a block wait at different barriers: others at "
                   "{0}, this one at {1}",
                   opText(kernel, fault.op2), opText(kernel, fault.op));
    break;
  case What::ExitedLane:
    text = formatv("lane {0} of the warp is named in the mask, but has ended: "
                   "the others wait for ever",
                   fault.bytes);
    break;
  case What::AbsentLane:
    text = formatv("the mask {0:x} does not name the lane that calls",
                   fault.address);
    break;
  case What::NotBlocking:
    text = "the kernel waits, but its record says that it never does; build "
           "the program again";
    break;
  }
  std::string message =
      formatv("{0} in kernel '{1}', block {2}, thread {3}{4}: {5}",
              faultName(fault.kind), kernel.name, triple(fault.blockId),
              triple(fault.threadId),
              fault.hasOp ? ", at " + opText(kernel, fault.op) : "", text);
  return make_error<DeviceFault>(fault.kind, std::move(message));
}
