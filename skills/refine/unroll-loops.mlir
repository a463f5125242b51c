// Unroll loops: several iterations' loads before the first use.
//
// What: innermost loops of a constant number of trips are unrolled.
// Why it is faster: loads of several iterations are in flight at once, and the
// loop's counter and branch are paid for once for all of them.
// When it is not: loops that ptxas unrolls anyway, and kernels whose registers are
// many already; those are vetoed.
// Source: V. Volkov, "Better performance at lower occupancy", GTC 2010; P. Hijma et
// al., "Optimization Techniques for GPU Programming", ACM CSUR 55, 2023 (loop unrolling).
module attributes {transform.with_named_sequence} {
  transform.named_sequence @match_unroll_loops(%kernel: !transform.any_op {transform.readonly}) {
    transform.match.operation_name %kernel ["gpu.func"] : !transform.any_op
    transform.yield
  }

  transform.named_sequence @unroll_loops(%kernel: !transform.any_op {transform.readonly}) attributes {
      kernelskill.skill = #kernelskill.skill<stage = refine, serves = [memory_latency], numerics = strict,
        why = "loads of several iterations are in flight at once",
        cue = "unroll the innermost loop by 8, or by 4 where registers are scarce",
        source = "Volkov, Better performance at lower occupancy, GTC 2010",
        when = #kernelskill.all<[#kernelskill.gate<loop_depth, ge, 1>, #kernelskill.gate<memory_rounds_per_thread, ge, 2>]>,
        veto = #kernelskill.any<[#kernelskill.gate<registers_per_thread, gt, 96>, #kernelskill.gate<spill_bytes, gt, 0>]>,
        expects = [#kernelskill.expect<memory_rounds_per_thread, down>]>} {
    %factor = transform.tune.knob<"factor"> options = [8, 4, 16, 2] -> !transform.param<i64>
    transform.kernelskill.unroll %kernel factor = %factor : !transform.any_op
    transform.yield
  }
}
