// Calls of the CPU device's checks before each access of a kernel.
#include "CpuKernels.h"

using namespace mlir;
using namespace kernelskill;

/// A thread's own stack and constant tables are no buffers: their bounds are
/// not known to the device.
static bool isPrivate(Value address) {
  while (true) {
    if (auto offset = address.getDefiningOp<LLVM::GEPOp>())
      address = offset.getBase();
    else if (auto extract = address.getDefiningOp<LLVM::ExtractValueOp>()) {
      // A descriptor built right here: follow the field that was set.
      Value container = extract.getContainer();
      Value found;
      while (auto insert = container.getDefiningOp<LLVM::InsertValueOp>()) {
        if (insert.getPosition() == extract.getPosition()) {
          found = insert.getValue();
          break;
        }
        container = insert.getContainer();
      }
      if (!found)
        return false;
      address = found;
    } else {
      break;
    }
  }
  if (auto global = address.getDefiningOp<LLVM::AddressOfOp>()) {
    SymbolTableCollection symbols;
    LLVM::GlobalOp op = global.getGlobal(symbols);
    return op && op.getAddrSpace() != 3;
  }
  return address.getDefiningOp<LLVM::AllocaOp>() != nullptr;
}

void kernelskill::insertCpuChecks(LLVM::LLVMFuncOp kernel, CpuCalls &calls) {
  Value arguments = kernel.getArgument(1);
  auto check = [&](StringRef name, Operation *op, Value address, Value bytes) {
    if (!isPrivate(address))
      calls.call(name, Type(), {address, bytes}, op);
  };
  auto checkType = [&](StringRef name, Operation *op, Value address,
                       Type type) {
    OpBuilder builder(op);
    Value bytes =
        LLVM::ConstantOp::create(builder, op->getLoc(), builder.getI32Type(),
                                 int64_t(accessBytes(type)));
    check(name, op, address, bytes);
  };
  auto checkLength = [&](StringRef name, Operation *op, Value address,
                         Value length) {
    OpBuilder builder(op);
    if (length.getType() != builder.getI32Type())
      length = LLVM::TruncOp::create(builder, op->getLoc(),
                                     builder.getI32Type(), length);
    check(name, op, address, length);
  };
  /// The loads of the kernel's own arguments.
  auto isArgument = [&](LLVM::LoadOp load) {
    Value address = load.getAddr();
    if (auto outer = address.getDefiningOp<LLVM::LoadOp>())
      address = outer.getAddr();
    auto slot = address.getDefiningOp<LLVM::GEPOp>();
    return slot && slot.getBase() == arguments;
  };

  SmallVector<Operation *> operations;
  kernel.walk([&](Operation *op) { operations.push_back(op); });
  for (Operation *op : operations) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](LLVM::LoadOp load) {
          if (!isArgument(load))
            checkType("ks_cpu_load", op, load.getAddr(), load.getType());
        })
        .Case([&](LLVM::StoreOp store) {
          checkType("ks_cpu_store", op, store.getAddr(),
                    store.getValue().getType());
        })
        .Case([&](LLVM::AtomicRMWOp atomic) {
          checkType("ks_cpu_atomic", op, atomic.getPtr(), atomic.getType());
        })
        .Case([&](LLVM::AtomicCmpXchgOp atomic) {
          checkType("ks_cpu_atomic", op, atomic.getPtr(),
                    atomic.getVal().getType());
        })
        .Case([&](LLVM::MemcpyOp copy) {
          checkLength("ks_cpu_load", op, copy.getSrc(), copy.getLen());
          checkLength("ks_cpu_store", op, copy.getDst(), copy.getLen());
        })
        .Case([&](LLVM::MemsetOp set) {
          checkLength("ks_cpu_store", op, set.getDst(), set.getLen());
        });
  }
}
