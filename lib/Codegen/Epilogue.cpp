// Stores the root's results, through the epilogue if there is one.
#include "Epilogue.h"

using namespace mlir;
using namespace kernelskill;

Value kernelskill::emitInit(Kernel &kernel, const Nest &nest, unsigned i,
                            ArrayRef<Value> loops, Lanes lanes) {
  const Access &init = nest.inits[i];
  if (Value fill = fillValue(init.tensor))
    return kernel.b.clone(*fill.getDefiningOp())->getResult(0);
  return emitLoad(kernel.b, init, kernel.flat.at(init.tensor), loops, lanes);
}

void kernelskill::emitResults(Kernel &kernel, const Nest &nest,
                              ArrayRef<Value> results, ArrayRef<Value> loops,
                              Lanes lanes) {
  SmallVector<Value> stored(results);
  if (nest.epilogue) {
    SmallVector<Value> arguments;
    for (auto [i, access] : llvm::enumerate(nest.epilogueInputs)) {
      if (std::optional<unsigned> result = nest.rootResultOf(i))
        arguments.push_back(results[*result]);
      else
        arguments.push_back(emitLoad(
            kernel.b, access, kernel.flat.at(access.tensor), loops, lanes));
    }
    linalg::LinalgOp epilogue = nest.epilogue;
    stored = cloneBody(kernel, epilogue,
                       epilogue.getBlock()->getTerminator()->getOperands(),
                       arguments, nest.epilogueDims, loops, lanes);
  }
  for (auto [access, value] : llvm::zip(nest.outputs, stored))
    emitStore(kernel.b, access, kernel.flat.at(access.tensor), value, loops,
              lanes);
}
