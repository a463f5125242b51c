// RUN: kernelskill-opt %s --kernelskill-oracle-pipeline --verify-diagnostics

func.func @forward(%x: tensor<8xf32>, %n: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{the GPU mapping left 'scf.for' to the host}}
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %x) -> tensor<8xf32> {
    %s = linalg.add ins(%acc, %n : tensor<8xf32>, tensor<8xf32>) outs(%acc : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
