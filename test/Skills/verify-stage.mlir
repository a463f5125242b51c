// Each contract of a stage, broken once.
// RUN: kernelskill-opt %s --kernelskill-verify-stage=stage=dispatch --split-input-file --verify-diagnostics
// RUN: not kernelskill-opt %S/../Driver/Inputs/relu.mlir --kernelskill-verify-stage=stage=kernel 2>&1 | FileCheck %s --check-prefix=KERNEL
// KERNEL: error: 'tensor.empty' can't stand in the host function at the kernel stage
// RUN: not kernelskill-opt %S/../Driver/Inputs/relu.mlir --kernelskill-verify-stage=stage=seed 2>&1 | FileCheck %s --check-prefix=STAGE
// STAGE: error: unknown stage 'seed': expected dispatch or kernel
// RUN: kernelskill-opt %S/../Driver/Inputs/relu.mlir --kernelskill-apply-recipe --kernelskill-verify-stage=stage=kernel -o %t

// expected-error @below {{expected one public function, but there is none}}
module {}

// -----

// expected-note @below {{the other one}}
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }
// expected-error @below {{expected one public function, but there are more}}
func.func @g(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }

// -----

func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{'arith.addf' can't stand in the host function at the dispatch stage}}
  %y = arith.addf %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{'@g' is no dispatch function}}
  %y = call @g(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func private @g(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }

// -----

// expected-error @below {{expected tensors of static shape only, but there is a 'tensor<?xf32>'}}
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }

// -----

func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }
// expected-note @below {{the other one}}
func.func private @g(%x: tensor<2xf32>) -> tensor<2xf32> attributes {kernelskill.dispatch = #kernelskill.dispatch<pointwise, "0123456789abcdef">} {
  return %x : tensor<2xf32>
}
// expected-error @below {{dispatch '0123456789abcdef' is formed twice; equal dispatches share one function}}
func.func private @h(%x: tensor<2xf32>) -> tensor<2xf32> attributes {kernelskill.dispatch = #kernelskill.dispatch<pointwise, "0123456789abcdef">} {
  return %x : tensor<2xf32>
}
