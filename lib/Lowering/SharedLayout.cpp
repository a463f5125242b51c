// Lays out the shared variables that a kernel uses.
#include "CpuKernels.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelskill;

static constexpr unsigned kSharedSpace = 3;

uint64_t kernelskill::accessBytes(Type type) {
  // The data layout rounds a vector up to a power of two; an access does not.
  if (auto vector = dyn_cast<VectorType>(type))
    return llvm::divideCeil(
        vector.getNumElements() * vector.getElementTypeBitWidth(), 8);
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return array.getNumElements() * accessBytes(array.getElementType());
  if (type.isIntOrFloat())
    return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
  return DataLayout().getTypeSize(type);
}

SharedLayout kernelskill::layoutShared(LLVM::LLVMFuncOp kernel) {
  SharedLayout layout;
  SmallVector<LLVM::GlobalOp> dynamic;
  SymbolTableCollection symbols;
  kernel.walk([&](LLVM::AddressOfOp address) {
    LLVM::GlobalOp global = address.getGlobal(symbols);
    if (!global || global.getAddrSpace() != kSharedSpace ||
        layout.offsets.contains(global.getSymName()))
      return;
    uint64_t bytes = accessBytes(global.getGlobalType());
    if (bytes == 0) {
      dynamic.push_back(global);
      return;
    }
    uint64_t alignment =
        std::max<uint64_t>(global.getAlignment().value_or(16), 16);
    uint64_t offset = llvm::alignTo(layout.staticBytes, alignment);
    layout.offsets[global.getSymName()] = offset;
    layout.staticBytes = offset + bytes;
  });
  // All names of dynamic shared memory are the same memory.
  for (LLVM::GlobalOp global : dynamic)
    layout.staticBytes = llvm::alignTo(
        layout.staticBytes,
        std::max<uint64_t>(global.getAlignment().value_or(16), 16));
  for (LLVM::GlobalOp global : dynamic)
    layout.offsets[global.getSymName()] = layout.staticBytes;
  return layout;
}
