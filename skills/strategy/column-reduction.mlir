// Column reduction: neighbouring threads sum neighbouring columns.
//
// What: the summed dimension is not the fastest one, so lanes lie along the
// results; each thread sums a column or a vector of columns, with several rows in flight,
// and some threads may share a column through shared memory.
// Why it is faster: every load of a warp is a run of whole sectors, and unrolling
// over rows keeps several in flight, which one column a thread and one row at a time doesn't.
// When it is not: few columns (split-reduction, or more lanes a column).
// Source: A. Kloeckner et al., "PyCUDA and PyOpenCL", Parallel Computing 38, 2012 (axis
// reductions); NVIDIA, "CUDA C++ Best Practices Guide", coalesced access.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @match_column_reduction(%dispatch: !transform.any_op {transform.readonly}) {
    transform.match.operation_name %dispatch ["func.func"] : !transform.any_op
    transform.yield
  }

  transform.named_sequence @column_reduction(%dispatch: !transform.any_op {transform.readonly}) attributes {
      kernelskill.skill = #kernelskill.skill<stage = strategy,
        serves = [memory_latency, low_parallelism, dram_bandwidth, uncoalesced_access, compute], numerics = fp32,
        why = "lanes along the columns read whole sectors, and several rows are in flight",
        cue = "a vector of columns a thread, rows unrolled; let a few threads share a column when columns are few",
        source = "CUDA C++ Best Practices Guide, coalesced access to global memory",
        when = #kernelskill.all<[#kernelskill.gate<kind, eq, reduction>, #kernelskill.gate<has_inner_reduction, eq, false>]>,
        expects = [#kernelskill.expect<bytes_in_flight_per_sm, up>, #kernelskill.expect<time_us, down>]>} {
    %lanes = transform.tune.knob<"lanes"> options = [1, 8, 4, 32] -> !transform.param<i64>
    %unroll = transform.tune.knob<"unroll"> options = [8, 4, 16, 2] -> !transform.param<i64>
    %width = transform.tune.knob<"vector_width"> options = [1, 2, 4] -> !transform.param<i64>
    %block = transform.tune.knob<"block_size"> options = [256, 128] -> !transform.param<i64>
    %split = transform.param.constant 1 : i64 -> !transform.param<i64>
    transform.kernelskill.reduction %dispatch block_size = %block lanes = %lanes
      vector_width = %width unroll = %unroll split = %split : !transform.any_op
    transform.yield
  }
}
