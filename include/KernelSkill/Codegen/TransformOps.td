//===- TransformOps.td - strategies and refinements as transform ops ------===//
#ifndef KERNELSKILL_CODEGEN_TRANSFORMOPS_TD
#define KERNELSKILL_CODEGEN_TRANSFORMOPS_TD

include "KernelSkill/Codegen/RefinementBase.td"
include "KernelSkill/Codegen/StrategyBase.td"

def DefaultStrategyOp : KernelSkill_StrategyOp<"default_strategy"> {
  let summary = "right for every dispatch, whatever its speed";
  let description = [{
    One thread for each result element, or one block for each where results are
    few and reductions long (with a second kernel where they are a handful and
    enormous). Sums are accumulated in blocks of at most 128, never in one long
    chain.

    ```mlir
    transform.kernelskill.default_strategy %dispatch : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let assemblyFormat = "$target attr-dict `:` type($target)";
}

def PointwiseOp : KernelSkill_StrategyOp<"pointwise"> {
  let summary = "elementwise dispatches by vectors";
  let description = [{
    Each thread handles `items_per_thread` vectors of `vector_width` elements, all
    loads first. Loops that all operands walk alike are collapsed; otherwise the
    innermost extent must be a multiple of the width.

    ```mlir
    transform.kernelskill.pointwise %dispatch vector_width = %w block_size = %b
        items_per_thread = %n : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, KernelSkill_Knob:$vector_width,
    KernelSkill_Knob:$block_size, KernelSkill_Knob:$items_per_thread);
  let assemblyFormat = [{
    $target `vector_width` `=` $vector_width `block_size` `=` $block_size
    `items_per_thread` `=` $items_per_thread attr-dict `:` type($target)
  }];
}

def ReductionOp : KernelSkill_StrategyOp<"reduction"> {
  let summary = "reductions along rows, columns or everything";
  let description = [{
    `lanes` threads of a block share the reduction of one result (32: a warp a
    row; `block_size`: a block a row; 1: a thread a column). The loop that is
    contiguous in the largest input decides where neighbouring threads and the
    `vector_width` elements of a vector lie: along the reduction, or along the
    results. Each thread has `unroll` independent loads of each input in flight.
    With `split` > 1 the reduction is cut into as many parts, which a second
    kernel combines (no atomics, so the result is deterministic).

    ```mlir
    transform.kernelskill.reduction %dispatch block_size = %b lanes = %l
        vector_width = %w unroll = %u split = %s : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, KernelSkill_Knob:$block_size,
    KernelSkill_Knob:$lanes, KernelSkill_Knob:$vector_width, KernelSkill_Knob:$unroll,
    KernelSkill_Knob:$split);
  let assemblyFormat = [{
    $target `block_size` `=` $block_size `lanes` `=` $lanes
    `vector_width` `=` $vector_width `unroll` `=` $unroll `split` `=` $split
    attr-dict `:` type($target)
  }];
}

def ContractionOp : KernelSkill_StrategyOp<"contraction"> {
  let summary = "products of matrices in exact fp32, by tiles and register blocks";
  let description = [{
    Contractions of f32 with any number of batch, row, column and summed loops,
    operands in any order of dimensions, of any size. A block computes `tile_m`
    x `tile_n` results, from tiles of `tile_k` products in shared memory (two of
    them, if `stages` is 2: the next one is read beside the products); a thread
    computes `thread_m` x `thread_n` of them in registers. All these are powers
    of 2. Blocks are taken in groups of `group` rows of tiles, for the sake of
    the L2 cache. After `chain` products (a multiple of `tile_k`) a sum is added to a
    second set of registers: a single chain of fp32 sums loses accuracy with its
    length. `min_blocks` blocks have to find room on a multiprocessor: it bounds the
    registers of a thread.

    ```mlir
    transform.kernelskill.contraction %dispatch tile_m = %m tile_n = %n tile_k = %k
        thread_m = %i thread_n = %j stages = %s group = %g chain = %c
        min_blocks = %b : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, KernelSkill_Knob:$tile_m,
    KernelSkill_Knob:$tile_n, KernelSkill_Knob:$tile_k, KernelSkill_Knob:$thread_m,
    KernelSkill_Knob:$thread_n, KernelSkill_Knob:$stages, KernelSkill_Knob:$group,
    KernelSkill_Knob:$chain, KernelSkill_Knob:$min_blocks);
  let assemblyFormat = [{
    $target `tile_m` `=` $tile_m `tile_n` `=` $tile_n `tile_k` `=` $tile_k
    `thread_m` `=` $thread_m `thread_n` `=` $thread_n `stages` `=` $stages
    `group` `=` $group `chain` `=` $chain `min_blocks` `=` $min_blocks
    attr-dict `:` type($target)
  }];
}

def LaunchBoundsOp : KernelSkill_RefinementOp<"launch_bounds"> {
  let summary = "bound a kernel's registers by the blocks that have to fit";
  let description = [{
    States that `min_blocks` blocks of the kernel have to fit on a
    multiprocessor (`nvvm.minctasm`): ptxas then keeps a thread's registers
    below the bound that follows, at the price of spills.

    ```mlir
    transform.kernelskill.launch_bounds %kernel min_blocks = %b : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, KernelSkill_Knob:$min_blocks);
  let assemblyFormat = "$target `min_blocks` `=` $min_blocks attr-dict `:` type($target)";
}

def CoalesceThreadsOp : KernelSkill_RefinementOp<"coalesce_threads"> {
  let summary = "let neighbouring threads access neighbouring elements";
  let description = [{
    Gives the threads of a block other parts of its work, in one of two ways:

    - In a two-dimensional block x and y change places, if the warps then touch
      fewer sectors of memory. It is legal unless something depends on which
      threads form a warp.
    - In a one-dimensional block where each thread has a chunk of consecutive
      iterations (`thread * n + i`), the iterations are dealt out one after the
      other (`i * threads + thread`). It is legal if iterations are
      independent: each writes elements of its own, and reads what it writes
      only where it writes. Memrefs that are different arguments of a kernel are
      taken to be different memory.

    ```mlir
    transform.kernelskill.coalesce_threads %kernel : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let assemblyFormat = "$target attr-dict `:` type($target)";
}

def UnrollOp : KernelSkill_RefinementOp<"unroll"> {
  let summary = "unroll the innermost loops of a kernel";
  let description = [{
    Unrolls each innermost `scf.for` that runs a constant number of times, at
    least `factor`, by `factor`; what does not divide is left to a loop of its own.

    ```mlir
    transform.kernelskill.unroll %kernel factor = %f : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, KernelSkill_Knob:$factor);
  let assemblyFormat = "$target `factor` `=` $factor attr-dict `:` type($target)";
}

#endif // KERNELSKILL_CODEGEN_TRANSFORMOPS_TD
