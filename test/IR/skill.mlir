// Every attribute of the dialect round-trips, numbers in their shortest form.
// RUN: kernelskill-opt %s | kernelskill-opt | FileCheck %s

// CHECK-DAG: kernelskill.plan = #kernelskill.plan<"widen", "0123456789abcdef", [{width = 4 : i64}], "why">
// CHECK-DAG: kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "", chip = "sm_90a", numerics = fp32>
module attributes {transform.with_named_sequence,
    kernelskill.plan = #kernelskill.plan<"widen", "0123456789abcdef", [{width = 4}], "why">,
    kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "", chip = "sm_90a", numerics = fp32>} {
  // CHECK-LABEL: func.func private @dispatch
  // CHECK-SAME: kernelskill.diagnosis = #kernelskill.diagnosis<time_us = 80.5, bound_us = 20, estimated, [uncoalesced_access = 55, memory_latency = 7]>
  // CHECK-SAME: kernelskill.features = #kernelskill.features<kind = pointwise, coalesced_fraction = 0.125, has_reuse = 1>
  func.func private @dispatch() attributes {
    kernelskill.features = #kernelskill.features<kind = pointwise, coalesced_fraction = 0.125, has_reuse = true>,
    kernelskill.diagnosis = #kernelskill.diagnosis<time_us = 80.5, bound_us = 20, estimated, [uncoalesced_access = 55, memory_latency = 7]>}

  transform.named_sequence @match_widen(%f: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  // CHECK: @widen
  // CHECK-SAME: #kernelskill.skill<stage = refine, serves = [memory_latency, uncoalesced_access], numerics = strict, why = "w", cue = "c", source = "s"
  // CHECK-SAME: when = #kernelskill.all<[#kernelskill.gate<kind, eq, pointwise>, #kernelskill.any<[#kernelskill.gate<load_width_bytes, lt, 16>]>]>
  // CHECK-SAME: excludes = ["narrow"]
  // CHECK-SAME: expects = [#kernelskill.expect<load_width_bytes, up>]
  transform.named_sequence @widen(%f: !transform.any_op {transform.readonly}) attributes {
      kernelskill.skill = #kernelskill.skill<stage = refine, serves = [memory_latency, uncoalesced_access],
        numerics = strict, why = "w", cue = "c", source = "s",
        when = #kernelskill.all<[#kernelskill.gate<kind, eq, pointwise>,
                                 #kernelskill.any<[#kernelskill.gate<load_width_bytes, lt, 16>]>]>,
        excludes = ["narrow"], expects = [#kernelskill.expect<load_width_bytes, up>]>} {
    transform.yield
  }
  // CHECK: kernelskill.step = #kernelskill.step<"widen", refine, "0123456789abcdef">
  transform.named_sequence @step_0(%f: !transform.any_op {transform.readonly})
      attributes {kernelskill.step = #kernelskill.step<"widen", refine, "0123456789abcdef">} {
    transform.yield
  }
}
