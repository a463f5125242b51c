// Launch bounds: tell ptxas how many blocks have to fit on a multiprocessor.
//
// What: a least number of resident blocks is declared, from which ptxas takes
// its bound on a thread's registers.
// Why it is faster: where registers keep warps out, fewer of them a thread let more warps
// in, and more warps hide more latency.
// When it is not: as soon as values spill, and where shared memory or the block's
// size is what limits. So it is vetoed on kernels that spill or are bounded already.
// Source: NVIDIA, "CUDA C++ Programming Guide", launch bounds; V. Volkov,
// "Understanding Latency Hiding on GPUs", UC Berkeley, 2016.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @match_launch_bounds(%kernel: !transform.any_op {transform.readonly}) {
    transform.match.operation_name %kernel ["gpu.func"] : !transform.any_op
    transform.yield
  }

  transform.named_sequence @launch_bounds(%kernel: !transform.any_op {transform.readonly}) attributes {
      kernelskill.skill = #kernelskill.skill<stage = refine, serves = [occupancy], numerics = strict,
        why = "fewer registers a thread let more warps be resident",
        cue = "raise the least number of resident blocks until values would spill",
        source = "Volkov, Understanding Latency Hiding on GPUs, 2016",
        when = #kernelskill.all<[#kernelskill.gate<occupancy_fraction, lt, 0.75>, #kernelskill.gate<registers_per_thread, gt, 32>]>,
        veto = #kernelskill.any<[#kernelskill.gate<spill_bytes, gt, 0>, #kernelskill.gate<launch_bounded, eq, true>]>,
        expects = [#kernelskill.expect<registers_per_thread, down>, #kernelskill.expect<occupancy_fraction, up>]>} {
    %blocks = transform.tune.knob<"min_blocks"> options = [4, 2, 3, 6, 8] -> !transform.param<i64>
    transform.kernelskill.launch_bounds %kernel min_blocks = %blocks : !transform.any_op
    transform.yield
  }
}
