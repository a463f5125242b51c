// Structural fingerprints: the names by which recipes and memories know a
// computation, wherever it is met.
#ifndef KERNELSKILL_GRAPH_FINGERPRINT_H
#define KERNELSKILL_GRAPH_FINGERPRINT_H

#include "mlir/IR/Operation.h"
#include <string>

namespace kernelskill {

/// Sixteen lower-case hexadecimal digits, the hash of the operation's
/// structure: operations, types, shapes, constants, maps, attributes, regions.
/// Names of values and symbols, locations, the order of functions in a module,
/// and attributes of the kernelskill dialect have no part in it, so it is equal
/// across runs and machines. Works on any operation: a dispatch function, a
/// gpu.func, a whole payload module. A reference to a symbol counts as the
/// structure of what it refers to.
std::string fingerprintOf(mlir::Operation *op);

/// The text that `fingerprintOf` hashes; equal texts are equal computations.
std::string canonicalTextOf(mlir::Operation *op);

} // namespace kernelskill

#endif // KERNELSKILL_GRAPH_FINGERPRINT_H
