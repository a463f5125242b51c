// RUN: kernelskill-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{fingerprint must be 16 lower-case hexadecimal digits, but is 'xyz'}}
func.func private @f() attributes {kernelskill.dispatch = #kernelskill.dispatch<pointwise, "xyz">}

// -----

// expected-error @below {{unknown attribute 'kernelskill.dispach' of the kernelskill dialect}}
func.func private @f() attributes {kernelskill.dispach = 1 : i64}

// -----

// expected-error @below {{unknown argument attribute 'kernelskill.arg' of the kernelskill dialect}}
func.func private @f(tensor<2xf32> {kernelskill.arg = 1 : i64})
