// Reads the flat host function of the kernel stage; see docs/architecture.md.
#include "HostPlan.h"

#include "KernelSkill/IR/KernelSkillDialect.h"

using namespace mlir;
using namespace kernelskill;

namespace {
class Reader {
public:
  explicit Reader(func::FuncOp host) : host(host) {}

  FailureOr<HostPlan> read() {
    if (failed(readArguments()))
      return failure();
    if (!host.getBody().hasOneBlock())
      return host.emitError("the kernel stage's host function must have one "
                            "block, but has ")
             << host.getBody().getBlocks().size();
    for (Operation &op : host.getBody().front())
      if (failed(readOperation(&op)))
        return failure();
    return std::move(plan);
  }

private:
  /// A dense part of a buffer.
  struct View {
    uint32_t buffer;
    uint64_t byteOffset;
  };

  Program &program() { return plan.program; }

  uint32_t addBuffer(Value value, BufferRecord record) {
    program().buffers.push_back(std::move(record));
    uint32_t number = program().buffers.size() - 1;
    views[value] = {number, 0};
    return number;
  }

  LogicalResult readArguments() {
    if (host.getNumResults() != 0)
      return host.emitError("the kernel stage's host function must return "
                            "nothing: results are out-arguments");
    unsigned results = 0;
    for (BlockArgument argument : host.getArguments()) {
      unsigned number = argument.getArgNumber();
      auto type = dyn_cast<MemRefType>(argument.getType());
      std::string what = "argument " + std::to_string(number);
      if (!type)
        return host.emitError()
               << what << " must be a memref, but is " << argument.getType();
      FailureOr<BufferRecord> record = describeBuffer(host, type, what);
      if (failed(record))
        return failure();
      if (host.getArgAttr(number, kResultAttr)) {
        record->kind = BufferKind::Result;
        record->name = "result" + std::to_string(results++);
        if (auto written =
                host.getArgAttrOfType<StringAttr>(number, kBufferAttr)) {
          record->name = written.str();
          record->role = "buffer";
        }
      } else if (results) {
        return host.emitError() << what << " comes after a result, but lacks '"
                                << kResultAttr << "'";
      } else {
        describeArgument(host.getArgAttr(number, kArgumentAttr), number,
                         *record);
      }
      addBuffer(argument, std::move(*record));
    }
    return success();
  }

  LogicalResult readOperation(Operation *op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<memref::AllocOp>([&](auto alloc) { return readAlloc(alloc); })
        .Case<memref::GetGlobalOp>(
            [&](auto global) { return readGlobal(global); })
        .Case<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp,
              memref::ReinterpretCastOp, memref::SubViewOp>(
            [&](auto view) { return readView(view); })
        .Case<memref::CopyOp>([&](auto copy) { return readCopy(copy); })
        .Case<gpu::LaunchFuncOp>(
            [&](auto launch) { return readLaunch(launch); })
        .Case<memref::DeallocOp, arith::ConstantOp, func::ReturnOp>(
            [](auto) { return success(); })
        .Default([](Operation *other) {
          return other->emitError()
                 << "'" << other->getName().getStringRef()
                 << "' is not allowed in the kernel stage's host function";
        });
  }

  LogicalResult readAlloc(memref::AllocOp alloc) {
    FailureOr<BufferRecord> record =
        describeBuffer(alloc, alloc.getType(), "a temporary");
    if (failed(record))
      return failure();
    record->name = "temporary" + std::to_string(temporaries++);
    addBuffer(alloc, std::move(*record));
    return success();
  }

  LogicalResult readGlobal(memref::GetGlobalOp get) {
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        get, get.getNameAttr());
    if (!global)
      return get.emitError()
             << "'" << get.getName() << "' is not a memref.global";
    auto known = constants.find(global);
    if (known != constants.end()) {
      views[get.getResult()] = {known->second, 0};
      return success();
    }
    FailureOr<BufferRecord> record =
        describeBuffer(global, global.getType(), "a constant");
    if (failed(record))
      return failure();
    FailureOr<std::string> bytes =
        constantBytes(global, global.getInitialValue().value_or(Attribute()));
    if (failed(bytes))
      return failure();
    record->kind = BufferKind::Constant;
    record->name = global.getSymName().str();
    record->data = std::move(*bytes);
    constants[global] = addBuffer(get.getResult(), std::move(*record));
    return success();
  }

  /// Static and dense views only. A descriptor's offset counts from the
  /// buffer's beginning, whatever views came before.
  template <typename Op>
  LogicalResult readView(Op view) {
    Value source = view->getOperand(0);
    auto type = dyn_cast<MemRefType>(view.getType());
    SmallVector<int64_t> strides;
    int64_t offset;
    if (!type || !type.hasStaticShape() ||
        failed(type.getStridesAndOffset(strides, offset)) ||
        ShapedType::isDynamic(offset) || !isDense(type.getShape(), strides))
      return view.emitError(
                 "a view in the kernel stage's host function must be "
                 "static and contiguous, but is ")
             << view.getType();
    std::optional<ElementType> element = toElementType(type.getElementType());
    if (!element)
      return view.emitError("a view of unknown elements: ") << type;
    views[view->getResult(0)] = {views[source].buffer,
                                 uint64_t(offset) * elementBytes(*element)};
    return success();
  }

  static bool isDense(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
    int64_t expected = 1;
    for (auto [size, stride] : llvm::reverse(llvm::zip_equal(shape, strides))) {
      if (size != 1 && stride != expected)
        return false;
      expected *= size;
    }
    return true;
  }

  LaunchArgument toArgument(Value value) {
    LaunchArgument argument;
    View view = views[value];
    argument.buffer = view.buffer;
    argument.byteOffset = view.byteOffset;
    return argument;
  }

  LogicalResult readCopy(memref::CopyOp copy) {
    StepRecord step;
    step.kind = StepRecord::Kind::Copy;
    step.source = toArgument(copy.getSource());
    step.destination = toArgument(copy.getTarget());
    auto type = cast<MemRefType>(copy.getSource().getType());
    const BufferRecord &buffer = program().buffers[step.source.buffer];
    step.bytes = type.getNumElements() * elementBytes(buffer.type);
    markWritten(step.destination.buffer);
    program().steps.push_back(std::move(step));
    return success();
  }

  void markWritten(uint32_t number) {
    BufferRecord &buffer = program().buffers[number];
    if (buffer.kind == BufferKind::Argument)
      buffer.written = true;
  }

  /// Reads three constant extents; `known` is the kernel's own attribute.
  LogicalResult readExtents(gpu::LaunchFuncOp launch, gpu::KernelDim3 dims,
                            StringRef what,
                            std::optional<ArrayRef<int32_t>> known,
                            std::array<uint32_t, 3> &extents) {
    for (auto [extent, value] :
         llvm::zip_equal(extents, std::array{dims.x, dims.y, dims.z})) {
      APInt constant;
      if (!matchPattern(value, m_ConstantInt(&constant)))
        return launch.emitError()
               << "the " << what << " must be constant in the kernel stage";
      extent = constant.getZExtValue();
    }
    if (known && !std::equal(extents.begin(), extents.end(), known->begin()))
      return launch.emitError()
             << "launches a " << what << " of " << extents[0] << "x"
             << extents[1] << "x" << extents[2] << ", but the kernel's known_"
             << what << "_size is " << (*known)[0] << "x" << (*known)[1] << "x"
             << (*known)[2];
    return success();
  }

  LogicalResult readScalar(gpu::LaunchFuncOp launch, Value operand,
                           LaunchArgument &argument) {
    Attribute constant;
    Type type = operand.getType();
    if (!type.isIndex() &&
        (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() > 64))
      return launch.emitError("an argument must be a memref or a scalar of at "
                              "most 64 bits, but is ")
             << type;
    if (!matchPattern(operand, m_Constant(&constant)))
      return launch.emitError("a scalar argument must be an arith.constant in "
                              "the kernel stage, but is ")
             << operand.getType();
    if (auto integer = dyn_cast<IntegerAttr>(constant))
      argument.bits = type.isInteger(1) ? integer.getValue().getZExtValue()
                                        : integer.getValue().getSExtValue();
    else
      argument.bits =
          cast<FloatAttr>(constant).getValue().bitcastToAPInt().getZExtValue();
    argument.size =
        type.isIndex() ? 8 : llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
    return success();
  }

  LogicalResult readLaunch(gpu::LaunchFuncOp launch) {
    if (launch.getAsyncToken() || !launch.getAsyncDependencies().empty() ||
        launch.getAsyncObject())
      return launch.emitError("an asynchronous launch is not allowed in the "
                              "kernel stage's host function");
    if (launch.hasClusterSize())
      return launch.emitError("launches of clusters are not supported");
    auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
        launch, launch.getKernelAttr());
    if (!kernel || !kernel.isKernel())
      return launch.emitError()
             << launch.getKernelAttr() << " is not a gpu.func that is a kernel";
    StepRecord step;
    if (failed(readExtents(launch, launch.getGridSizeOperandValues(), "grid",
                           kernel.getKnownGridSize(), step.grid)) ||
        failed(readExtents(launch, launch.getBlockSizeOperandValues(), "block",
                           kernel.getKnownBlockSize(), step.block)))
      return failure();
    if (Value bytes = launch.getDynamicSharedMemorySize()) {
      APInt constant;
      if (!matchPattern(bytes, m_ConstantInt(&constant)))
        return launch.emitError("the dynamic shared memory must be constant in "
                                "the kernel stage");
      step.dynamicShared = constant.getZExtValue();
    }
    for (auto [number, operand] : llvm::enumerate(launch.getKernelOperands())) {
      LaunchArgument argument;
      if (isa<MemRefType>(operand.getType())) {
        auto type = dyn_cast<MemRefType>(kernel.getArgumentTypes()[number]);
        if (!type || failed(describeBuffer(
                         kernel, type, "argument " + std::to_string(number))))
          return failure();
        argument = toArgument(operand);
        if (mayWrite(kernel, number))
          markWritten(argument.buffer);
      } else {
        if (failed(readScalar(launch, operand, argument)))
          return failure();
        if (operand.getType().isIndex())
          plan.indexScalars.push_back({program().steps.size(), number});
      }
      step.arguments.push_back(argument);
    }
    plan.kernels.insert(kernel);
    step.kernel = llvm::find(plan.kernels, kernel) - plan.kernels.begin();
    program().steps.push_back(std::move(step));
    return success();
  }

  func::FuncOp host;
  HostPlan plan;
  llvm::DenseMap<Value, View> views;
  llvm::DenseMap<Operation *, uint32_t> constants;
  unsigned temporaries = 0;
};
} // namespace

FailureOr<HostPlan> kernelskill::readHostFunction(func::FuncOp host) {
  return Reader(host).read();
}

FailureOr<HostPlan> kernelskill::planSingleKernel(gpu::GPUFuncOp kernel) {
  HostPlan plan;
  StepRecord step;
  std::optional<ArrayRef<int32_t>> grid = kernel.getKnownGridSize();
  std::optional<ArrayRef<int32_t>> block = kernel.getKnownBlockSize();
  if (!grid || !block)
    return kernel.emitError()
           << "a kernel that no host function launches needs '"
           << (block ? "known_grid_size" : "known_block_size")
           << "', as in 'known_block_size = array<i32: 256, 1, 1>'";
  llvm::copy(*grid, step.grid.begin());
  llvm::copy(*block, step.block.begin());
  for (BlockArgument argument : kernel.getArguments()) {
    unsigned number = argument.getArgNumber();
    std::string what = "argument " + std::to_string(number);
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (number >= kernel.getNumArguments())
      break; // shared and private memory
    if (!type)
      return kernel.emitError()
             << what << " of a kernel that no host function launches must be a "
             << "memref, but is " << argument.getType();
    FailureOr<BufferRecord> record = describeBuffer(kernel, type, what);
    if (failed(record))
      return failure();
    describeArgument(kernel.getArgAttr(number, kArgumentAttr), number, *record);
    record->written = mayWrite(kernel, number);
    LaunchArgument launched;
    launched.buffer = plan.program.buffers.size();
    plan.program.buffers.push_back(std::move(*record));
    step.arguments.push_back(launched);
  }
  plan.kernels.insert(kernel);
  plan.program.steps.push_back(std::move(step));
  return std::move(plan);
}
