// Misspelt names, missing halves and values out of range are errors where they stand.
// RUN: kernelskill-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{unknown feature 'coalesed_fraction'; did you mean 'coalesced_fraction'?}}
func.func private @f() attributes {kernelskill.features = #kernelskill.features<coalesed_fraction = 0.5>}

// -----

// expected-error @below {{value of 'occupancy_fraction' must be from 0.000000e+00 to 1.000000e+00, but is 2.000000e+00}}
func.func private @f() attributes {kernelskill.features = #kernelskill.features<occupancy_fraction = 2>}

// -----

// expected-error @below {{feature 'blocks' is given twice}}
func.func private @f() attributes {kernelskill.features = #kernelskill.features<blocks = 2, blocks = 3>}

// -----

// expected-error @below {{unknown kind 'pontwise'; did you mean 'pointwise'?}}
func.func private @f() attributes {a = #kernelskill.gate<kind, eq, pontwise>}

// -----

// expected-error @below {{value of 'blocks' must be at least 0.000000e+00, but is -1.000000e+00}}
func.func private @f() attributes {a = #kernelskill.gate<blocks, lt, -1>}

// -----

// expected-error @below {{unknown comparison 'les'}}
func.func private @f() attributes {a = #kernelskill.gate<blocks, les, 1>}

// -----

// expected-error @below {{expected a #kernelskill.gate, #kernelskill.all or #kernelskill.any, but got "blocks < 1"}}
func.func private @f() attributes {a = #kernelskill.all<["blocks < 1"]>}

// -----

// expected-error @below {{unknown bottleneck 'uncoalesced'}}
func.func private @f() attributes {a = #kernelskill.skill<stage = refine, serves = [uncoalesced], numerics = strict, why = "w", cue = "c", source = "s">}

// -----

// expected-error @below {{'why' must not be empty}}
func.func private @f() attributes {a = #kernelskill.skill<stage = refine, serves = [compute], numerics = strict, why = "", cue = "c", source = "s">}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @below {{skill '@widen' has no matcher: '@match_widen' must stand beside it}}
  transform.named_sequence @widen(%f: !transform.any_op {transform.consumed}) attributes {
      kernelskill.skill = #kernelskill.skill<stage = refine, serves = [compute], numerics = strict, why = "w", cue = "c", source = "s">} {
    transform.yield
  }
}

// -----

// expected-error @below {{payload hash must be empty or 16 lower-case hexadecimal digits, but is 'x'}}
module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "x", chip = "sm_90a", numerics = fp32>} {}

// -----

// expected-error @below {{a graph step has no target dispatch, but this one has '0123456789abcdef'}}
func.func private @f() attributes {a = #kernelskill.step<"s", graph, "0123456789abcdef">}

// -----

// expected-error @below {{'kernelskill.features' belongs on a function}}
module attributes {kernelskill.features = #kernelskill.features<blocks = 2>} {}

// -----

// expected-error @below {{'kernelskill.features' must be a #kernelskill.features attribute, but is 1 : i64}}
func.func private @f() attributes {kernelskill.features = 1 : i64}
