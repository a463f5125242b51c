// Split reduction: long reductions with few results are cut into parts.
//
// What: each result's reduction is cut into `split` parts that different blocks
// take; a second kernel combines the parts, in a fixed order and without atomics.
// Why it is faster: with one block a result, few results leave most
// multiprocessors idle, whatever a block does.
// When it is not: as many results as the chip runs blocks; the second kernel costs a launch.
// Source: M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA, 2007 (two passes);
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan", NVIDIA, 2016 (for the cost of passes).
module attributes {transform.with_named_sequence} {
  transform.named_sequence @match_split_reduction(%dispatch: !transform.any_op {transform.readonly}) {
    transform.match.operation_name %dispatch ["func.func"] : !transform.any_op
    transform.yield
  }

  transform.named_sequence @split_reduction(%dispatch: !transform.any_op {transform.readonly}) attributes {
      kernelskill.skill = #kernelskill.skill<stage = strategy,
        serves = [low_parallelism, memory_latency, dram_bandwidth], numerics = fp32,
        why = "parts of one reduction run on different multiprocessors",
        cue = "cut the summed dimension into enough parts to fill the chip, combine them in a second kernel",
        source = "Harris, Optimizing Parallel Reduction in CUDA, 2007",
        when = #kernelskill.all<[#kernelskill.gate<kind, eq, reduction>, #kernelskill.gate<reduction_length, ge, 4096>,
                                 #kernelskill.gate<result_count, le, 65536>]>,
        expects = [#kernelskill.expect<waves, up>, #kernelskill.expect<time_us, down>]>} {
    %split = transform.tune.knob<"split"> options = [32, 8, 128, 512, 1024] -> !transform.param<i64>
    %lanes = transform.tune.knob<"lanes"> options = [256, 1, 32] -> !transform.param<i64>
    %unroll = transform.tune.knob<"unroll"> options = [4, 8, 2, 1] -> !transform.param<i64>
    %width = transform.tune.knob<"vector_width"> options = [4, 1, 2] -> !transform.param<i64>
    %block = transform.param.constant 256 : i64 -> !transform.param<i64>
    transform.kernelskill.reduction %dispatch block_size = %block lanes = %lanes
      vector_width = %width unroll = %unroll split = %split : !transform.any_op
    transform.yield
  }
}
