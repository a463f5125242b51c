// Each of scale and shift may stand without the other, and prints as it is read.
// RUN: kernelskill-opt %s | kernelskill-opt | FileCheck %s

// CHECK: #kernelskill.argument<"plain", input, uniform>
// CHECK-SAME: #kernelskill.argument<"scaled", input, normal, scale = 2.000000e+00 : f64>
// CHECK-SAME: #kernelskill.argument<"shifted", parameter, uniform, shift = -5.000000e-01 : f64>
// CHECK-SAME: #kernelskill.argument<"both", buffer, integer, scale = 7.000000e+00 : f64, shift = 1.000000e+00 : f64>
func.func @f(%plain: tensor<4xf32> {kernelskill.argument = #kernelskill.argument<"plain", input, uniform>},
    %scaled: tensor<4xf32> {kernelskill.argument = #kernelskill.argument<"scaled", input, normal, scale = 2.0 : f64>},
    %shifted: tensor<4xf32> {kernelskill.argument = #kernelskill.argument<"shifted", parameter, uniform, shift = -0.5 : f64>},
    %both: tensor<4xi64> {kernelskill.argument = #kernelskill.argument<"both", buffer, integer, scale = 7.0 : f64, shift = 1.0 : f64>}) {
  return
}
