// Coalesce threads: neighbouring threads get neighbouring elements.
//
// What: in a two-dimensional block x and y change places, or a thread's chunk of
// consecutive iterations is dealt out over the block, so that a warp's accesses lie together.
// Why it is faster: memory moves sectors of 32 bytes; a warp whose lanes are a row
// apart moves one for each lane and uses 4 bytes of it.
// When it is not: accesses that are coalesced already, or where the one order that
// is good for a load is bad for a store (stage the tile in shared memory then).
// Source: NVIDIA, "CUDA C++ Best Practices Guide", coalesced access to global memory;
// P. Hijma et al., "Optimization Techniques for GPU Programming", ACM CSUR 55, 2023.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @match_coalesce_threads(%kernel: !transform.any_op {transform.readonly}) {
    transform.match.operation_name %kernel ["gpu.func"] : !transform.any_op
    transform.yield
  }

  transform.named_sequence @coalesce_threads(%kernel: !transform.any_op {transform.readonly}) attributes {
      kernelskill.skill = #kernelskill.skill<stage = refine, serves = [uncoalesced_access], numerics = strict,
        why = "a warp whose lanes are neighbours in memory uses every byte that it moves",
        cue = "let the fastest thread index walk the fastest dimension of the hottest access",
        source = "Hijma et al., Optimization Techniques for GPU Programming, ACM CSUR 2023",
        when = #kernelskill.all<[#kernelskill.gate<coalesced_fraction, lt, 0.9>, #kernelskill.gate<lane_stride_bytes, gt, 16>]>,
        expects = [#kernelskill.expect<coalesced_fraction, up>, #kernelskill.expect<time_us, down>]>} {
    transform.kernelskill.coalesce_threads %kernel : !transform.any_op
    transform.yield
  }
}
