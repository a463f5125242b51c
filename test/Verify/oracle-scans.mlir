// RUN: kernelskill-opt %s --pass-pipeline='builtin.module(func.func(kernelskill-oracle-scans))' -split-input-file -verify-diagnostics | FileCheck %s

// One parallel loop over the lines, one sequential loop along each; a reverse
// scan reads from the end, an exclusive one stores what came before.
// CHECK-LABEL: func.func @middle
// CHECK-SAME:    %[[X:.*]]: memref<3x5x4xf64>, %[[Y:.*]]: memref<3x5x4xf64>
// CHECK-DAG:     %[[LAST:.*]] = arith.constant 4 : index
// CHECK-DAG:     %[[LINES:.*]] = arith.constant 12 : index
// CHECK:         scf.parallel (%[[LINE:.*]]) = (%{{.*}}) to (%[[LINES]])
// CHECK:           %[[AT:.*]]:2 = affine.delinearize_index %[[LINE]] into (3, 4)
// CHECK:           scf.for %[[I:.*]] = %{{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (f64) {
// CHECK:             %[[J:.*]] = arith.subi %[[LAST]], %[[I]]
// CHECK:             %[[E:.*]] = memref.load %[[X]][%[[AT]]#0, %[[J]], %[[AT]]#1]
// CHECK:             %[[AFTER:.*]] = arith.addf %[[BEFORE]], %[[E]]
// CHECK:             memref.store %[[BEFORE]], %[[Y]][%[[AT]]#0, %[[J]], %[[AT]]#1]
// CHECK:             scf.yield %[[AFTER]]
func.func @middle(%x: memref<3x5x4xf64>, %y: memref<3x5x4xf64>) {
  kernelskill.scan ins(%x : memref<3x5x4xf64>) outs(%y : memref<3x5x4xf64>) dimension(1) identity(0.0 : f64) exclusive reverse {
  ^bb0(%s: f64, %e: f64):
    %n = arith.addf %s, %e : f64
    kernelskill.yield %n : f64
  }
  return
}

// CHECK-LABEL: func.func @line
// CHECK:         scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (i64) {
// CHECK:           %[[AFTER:.*]] = arith.muli %[[BEFORE]], %{{.*}} : i64
// CHECK:           memref.store %[[AFTER]]
func.func @line(%x: memref<7xi64>, %y: memref<7xi64>) {
  kernelskill.scan ins(%x : memref<7xi64>) outs(%y : memref<7xi64>) dimension(0) identity(1 : i64) {
  ^bb0(%s: i64, %e: i64):
    %n = arith.muli %s, %e : i64
    kernelskill.yield %n : i64
  }
  return
}

// -----

func.func @dynamic(%x: memref<?xf64>, %y: memref<?xf64>) {
  // expected-error @below {{must read a memref of static shape, but reads 'memref<?xf64>'}}
  kernelskill.scan ins(%x : memref<?xf64>) outs(%y : memref<?xf64>) dimension(0) identity(0.0 : f64) {
  ^bb0(%s: f64, %e: f64):
    %n = arith.addf %s, %e : f64
    kernelskill.yield %n : f64
  }
  return
}
