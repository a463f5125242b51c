// Row reduction: the threads of a warp or a block share one row.
//
// What: neighbouring threads read neighbouring elements of the row that is
// summed, in vectors, several loads in flight; then the warp combines its partial results by
// shuffles, and the block through shared memory.
// Why it is faster: one thread a row reads with the row's length as stride, a
// sector a lane, and has one load in flight.
// When it is not: rows shorter than a warp; few rows that are very long (split-reduction).
// Source: M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA, 2007;
// J. Luitjens, "Faster Parallel Reductions on Kepler", NVIDIA, 2014.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @match_row_reduction(%dispatch: !transform.any_op {transform.readonly}) {
    transform.match.operation_name %dispatch ["func.func"] : !transform.any_op
    transform.yield
  }

  transform.named_sequence @row_reduction(%dispatch: !transform.any_op {transform.readonly}) attributes {
      kernelskill.skill = #kernelskill.skill<stage = strategy,
        serves = [uncoalesced_access, memory_latency, low_parallelism, dram_bandwidth, compute], numerics = fp32,
        why = "lanes along the row read whole sectors, and many loads are in flight",
        cue = "a warp a row, a block a row where rows are long; vectors, unrolled; shuffles at the end",
        source = "Harris, Optimizing Parallel Reduction in CUDA, 2007",
        when = #kernelskill.all<[#kernelskill.gate<kind, eq, reduction>, #kernelskill.gate<has_inner_reduction, eq, true>,
                                 #kernelskill.gate<reduction_length, ge, 32>]>,
        veto = #kernelskill.all<[#kernelskill.gate<result_count, lt, 512>, #kernelskill.gate<reduction_length, ge, 16384>]>,
        expects = [#kernelskill.expect<coalesced_fraction, up>, #kernelskill.expect<time_us, down>]>} {
    %lanes = transform.tune.knob<"lanes"> options = [32, 256, 128, 64] -> !transform.param<i64>
    %width = transform.tune.knob<"vector_width"> options = [4, 2, 1] -> !transform.param<i64>
    %unroll = transform.tune.knob<"unroll"> options = [4, 2, 8, 1] -> !transform.param<i64>
    %block = transform.tune.knob<"block_size"> options = [256, 512] -> !transform.param<i64>
    %split = transform.param.constant 1 : i64 -> !transform.param<i64>
    transform.kernelskill.reduction %dispatch block_size = %block lanes = %lanes
      vector_width = %width unroll = %unroll split = %split : !transform.any_op
    transform.yield
  }
}
