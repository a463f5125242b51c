// Carries operation names through the lowering in locations, so that the CPU
// device can name the operation of a fault.
#include "KernelLowering.h"

using namespace mlir;
using namespace kernelskill;

void kernelskill::nameLocations(gpu::GPUModuleOp kernels) {
  kernels.walk([&](Operation *op) {
    op->setLoc(FusedLoc::get(op->getContext(), {op->getLoc()},
                             op->getName().getIdentifier()));
  });
}

/// The first name of an operation and the first place in a file; a callee's
/// place comes before its caller's.
static void describe(Location location, StringRef &name, std::string &place) {
  if (auto fused = dyn_cast<FusedLoc>(location)) {
    if (auto operation = dyn_cast_if_present<StringAttr>(fused.getMetadata());
        operation && name.empty())
      name = operation.getValue();
    for (Location part : fused.getLocations())
      describe(part, name, place);
    return;
  }
  if (auto call = dyn_cast<CallSiteLoc>(location)) {
    describe(call.getCallee(), name, place);
    describe(call.getCaller(), name, place);
    return;
  }
  if (auto named = dyn_cast<NameLoc>(location)) {
    describe(named.getChildLoc(), name, place);
    if (place.empty())
      place = named.getName().str();
    return;
  }
  if (auto file = dyn_cast<FileLineColLoc>(location); file && place.empty())
    place = (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
             Twine(file.getColumn()))
                .str();
}

std::string kernelskill::describeLocation(Location location) {
  StringRef name;
  std::string place;
  describe(location, name, place);
  if (place.empty())
    place = "unknown place";
  return name.empty() ? place : place + ": " + name.str();
}
