// Register-tiled contraction: tiles in shared memory, blocks of results in registers.
//
// What: a block computes a tile of results from tiles of the operands in shared
// memory, each thread a small block of them in registers, in exact fp32.
// Why it is faster: one thread a result reads two numbers for each product; a thread with
// 8 x 8 results reads 16 for 64, and the tile is read from memory once for all.
// When it is not: products with few rows or columns, which are bound by memory
// anyway; where lower precision is allowed, tensor cores are faster by far.
// Source: V. Volkov, J. Demmel, "Benchmarking GPUs to tune dense linear algebra", SC 2008;
// A. Kerr et al., "CUTLASS: Fast Linear Algebra in CUDA C++", NVIDIA, 2017.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @match_register_tiled_contraction(%dispatch: !transform.any_op {transform.readonly}) {
    transform.match.operation_name %dispatch ["func.func"] : !transform.any_op
    transform.yield
  }

  transform.named_sequence @register_tiled_contraction(%dispatch: !transform.any_op {transform.readonly}) attributes {
      kernelskill.skill = #kernelskill.skill<stage = strategy,
        serves = [dram_bandwidth, compute, memory_latency, uncoalesced_access, low_parallelism], numerics = fp32,
        why = "every element that is read serves many products, from shared memory and registers",
        cue = "tiles of 128 x 128 x 8, 8 x 8 results a thread, two tiles in shared memory",
        source = "Volkov and Demmel, Benchmarking GPUs to tune dense linear algebra, SC 2008",
        when = #kernelskill.gate<kind, eq, contraction>,
        expects = [#kernelskill.expect<l2_bytes, down>, #kernelskill.expect<time_us, down>]>} {
    %m = transform.tune.knob<"tile_m"> options = [128, 64, 32, 256] -> !transform.param<i64>
    %n = transform.tune.knob<"tile_n"> options = [128, 64, 32, 256] -> !transform.param<i64>
    %k = transform.tune.knob<"tile_k"> options = [16, 8, 32] -> !transform.param<i64>
    %i = transform.tune.knob<"thread_m"> options = [8, 4, 16] -> !transform.param<i64>
    %j = transform.tune.knob<"thread_n"> options = [8, 4, 16] -> !transform.param<i64>
    %stages = transform.tune.knob<"stages"> options = [2, 1] -> !transform.param<i64>
    %group = transform.tune.knob<"group"> options = [8, 1, 16] -> !transform.param<i64>
    %chain = transform.tune.knob<"chain"> options = [256, 512, 128] -> !transform.param<i64>
    %blocks = transform.tune.knob<"min_blocks"> options = [2, 3, 1] -> !transform.param<i64>
    transform.kernelskill.contraction %dispatch tile_m = %m tile_n = %n tile_k = %k
      thread_m = %i thread_n = %j stages = %stages group = %group chain = %chain
      min_blocks = %blocks : !transform.any_op
    transform.yield
  }
}
