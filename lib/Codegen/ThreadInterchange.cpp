// Interchanges the dimensions of a block; see the header.
#include "ThreadInterchange.h"

#include "Knobs.h"
#include "LinearIndex.h"
#include "Refinement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace kernelskill;

static constexpr int64_t kSectorBytes = 32;
/// How often a loop of unknown length is taken to run.
static constexpr int64_t kUnknownTrips = 16;

/// Sectors that a warp touches when lane l is thread (l % bx, l / bx), and an
/// element's number grows by cx and cy.
static int64_t sectors(int64_t cx, int64_t cy, int64_t bx, int64_t by,
                       int64_t elementBytes, int64_t width) {
  llvm::SmallSet<int64_t, 32> touched;
  for (int64_t lane = 0; lane < std::min<int64_t>(32, bx * by); ++lane) {
    int64_t first = (lane % bx * cx + lane / bx * cy) * elementBytes;
    int64_t last = first + width * elementBytes - 1;
    for (int64_t i = first >> 5; i <= last >> 5; ++i)
      touched.insert(i);
  }
  static_assert(kSectorBytes == 1 << 5);
  return touched.size();
}

/// Is it one of the ops to which it is all the same which threads are a warp?
static bool toleratesInterchange(Operation *op) {
  if (isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp,
          gpu::GlobalIdOp, gpu::BarrierOp, gpu::ReturnOp, gpu::AllReduceOp,
          gpu::DynamicSharedMemoryOp>(op))
    return true;
  StringRef dialect = op->getName().getDialectNamespace();
  return dialect != "gpu" && dialect != "nvvm" && dialect != "llvm" &&
         dialect != "nvgpu";
}

/// Launches of the kernel anywhere in its module.
static SmallVector<gpu::LaunchFuncOp> launchesOf(gpu::GPUFuncOp kernel) {
  SmallVector<gpu::LaunchFuncOp> launches;
  auto gpuModule = kernel->getParentOfType<gpu::GPUModuleOp>();
  if (!gpuModule || !gpuModule->getParentOp())
    return launches;
  gpuModule->getParentOp()->walk([&](gpu::LaunchFuncOp launch) {
    if (launch.getKernelModuleName() == gpuModule.getNameAttr() &&
        launch.getKernelName() == kernel.getNameAttr())
      launches.push_back(launch);
  });
  return launches;
}

static gpu::Dimension interchanged(gpu::Dimension dimension) {
  if (dimension == gpu::Dimension::x)
    return gpu::Dimension::y;
  return dimension == gpu::Dimension::y ? gpu::Dimension::x : dimension;
}

llvm::Error kernelskill::interchangeThreads(RewriterBase &rewriter,
                                            gpu::GPUFuncOp kernel) {
  llvm::Expected<std::array<int64_t, 3>> block = blockSize(kernel);
  if (!block)
    return block.takeError();
  int64_t bx = (*block)[0], by = (*block)[1], bz = (*block)[2];
  if (bx == 1 && by == 1)
    return refusal("the block has one thread along x and y");
  for (StringRef name : {NVVM::NVVMDialect::getMaxntidAttrName(),
                         NVVM::NVVMDialect::getReqntidAttrName()})
    if (kernel->hasAttr(name))
      return refusal("the kernel has '{0}', which fixes its block", name);

  Operation *warpOp = nullptr;
  int64_t before = 0, after = 0;
  kernel.walk([&](Operation *op) {
    if (op != kernel.getOperation() && !toleratesInterchange(op))
      warpOp = op;
    std::optional<MemoryAccess> access = memoryAccess(op);
    if (!access || cast<MemRefType>(access->memref.getType()).getMemorySpace())
      return;
    std::optional<LinearIndex> index = access->flatIndex();
    if (!index)
      return;
    int64_t cx = index->threadCoefficient(gpu::Dimension::x);
    int64_t cy = index->threadCoefficient(gpu::Dimension::y);
    int64_t times = 1;
    for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
         loop = loop->getParentOfType<scf::ForOp>()) {
      std::optional<APInt> trips = loop.getStaticTripCount();
      times *=
          trips && trips->ult(1 << 20) ? trips->getZExtValue() : kUnknownTrips;
    }
    unsigned bytes = access->elementBytes();
    before += times * sectors(cx, cy, bx, by, bytes, access->width);
    after += times * sectors(cy, cx, by, bx, bytes, access->width);
  });
  if (warpOp)
    return refusal("'{0}' may depend on which threads form a warp",
                   warpOp->getName());
  // A smaller gain is not worth another shape of block.
  if (after * 4 > before * 3)
    return refusal("a warp touches {0} sectors of memory now, and {1} with x "
                   "and y interchanged",
                   before, after);

  for (gpu::LaunchFuncOp launch : launchesOf(kernel))
    rewriter.modifyOpInPlace(launch, [&] {
      Value x = launch.getBlockSizeX(), y = launch.getBlockSizeY();
      launch.getBlockSizeXMutable().assign(y);
      launch.getBlockSizeYMutable().assign(x);
    });
  rewriter.modifyOpInPlace(kernel, [&] {
    kernel.setKnownBlockSizeAttr(
        rewriter.getDenseI32ArrayAttr({int32_t(by), int32_t(bx), int32_t(bz)}));
  });
  SmallVector<gpu::GlobalIdOp> globals;
  kernel.walk([&](Operation *op) {
    if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
      rewriter.modifyOpInPlace(
          id, [&] { id.setDimension(interchanged(id.getDimension())); });
    if (auto dim = dyn_cast<gpu::BlockDimOp>(op))
      rewriter.modifyOpInPlace(
          dim, [&] { dim.setDimension(interchanged(dim.getDimension())); });
    if (auto global = dyn_cast<gpu::GlobalIdOp>(op))
      globals.push_back(global);
  });
  for (gpu::GlobalIdOp global : globals) {
    if (global.getDimension() == gpu::Dimension::z)
      continue;
    rewriter.setInsertionPoint(global);
    Location loc = global.getLoc();
    bool isX = global.getDimension() == gpu::Dimension::x;
    Value blockId =
        gpu::BlockIdOp::create(rewriter, loc, global.getDimension());
    Value threads =
        arith::ConstantIndexOp::create(rewriter, loc, isX ? bx : by);
    Value thread = gpu::ThreadIdOp::create(rewriter, loc,
                                           interchanged(global.getDimension()));
    rewriter.replaceOpWithNewOp<arith::AddIOp>(
        global, arith::MulIOp::create(rewriter, loc, blockId, threads), thread);
  }
  return llvm::Error::success();
}
