// Vectorized pointwise: each thread loads, computes and stores whole vectors.
//
// What: elements are handled in vectors of 16 bytes where the shapes allow, some
// of them a thread, all loads before the first use.
// Why it is faster: the same bytes take a quarter of the load instructions, and each
// thread has more of them in flight, so fewer threads hide the memory's latency.
// When it is not: small results, where more items a thread leave multiprocessors
// idle; shapes whose innermost extent is odd fit width 1 only.
// Source: V. Volkov, "Better performance at lower occupancy", GTC 2010; J. Luitjens,
// "CUDA Pro Tip: Increase Performance with Vectorized Memory Access", NVIDIA, 2013.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @match_vectorized_pointwise(%dispatch: !transform.any_op {transform.readonly}) {
    transform.match.operation_name %dispatch ["func.func"] : !transform.any_op
    transform.yield
  }

  transform.named_sequence @vectorized_pointwise(%dispatch: !transform.any_op {transform.readonly}) attributes {
      kernelskill.skill = #kernelskill.skill<stage = strategy,
        serves = [memory_latency, dram_bandwidth, uncoalesced_access, compute, low_parallelism], numerics = strict,
        why = "wide loads and several of them a thread keep more bytes in flight",
        cue = "load vectors of 16 bytes, all of them before the first use; let neighbouring threads take neighbouring vectors",
        source = "Volkov, Better performance at lower occupancy, GTC 2010",
        when = #kernelskill.any<[#kernelskill.gate<kind, eq, pointwise>, #kernelskill.gate<kind, eq, data_movement>]>,
        expects = [#kernelskill.expect<load_width_bytes, up>, #kernelskill.expect<bytes_in_flight_per_sm, up>,
                   #kernelskill.expect<time_us, down>]>} {
    %width = transform.tune.knob<"vector_width"> options = [4, 8, 2, 1] -> !transform.param<i64>
    %block = transform.tune.knob<"block_size"> options = [256, 128, 512, 1024] -> !transform.param<i64>
    %items = transform.tune.knob<"items_per_thread"> options = [1, 2, 4] -> !transform.param<i64>
    transform.kernelskill.pointwise %dispatch vector_width = %width block_size = %block
      items_per_thread = %items : !transform.any_op
    transform.yield
  }
}
