// RUN: kernelskill-opt %s --kernelskill-canonicalize-payload --kernelskill-form-dispatches --split-input-file | FileCheck %s

// Padding is read in place, and the bias is added behind the convolution.

// CHECK-DAG: #[[$X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5, d3 * 2 + d6)>
// CHECK-LABEL: func.func @convolution
// CHECK: call @dispatch_0
// CHECK-NEXT: return
// CHECK: @dispatch_0({{.*}}convolution
// CHECK: tensor.pad
// CHECK: linalg.generic {indexing_maps = [#[[$X]],
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK-NOT: @dispatch_1
func.func @convolution(%x: tensor<2x3x9x9xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<2x4x5x5xf32> {
  %zero = arith.constant 0.0 : f32
  %pad = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x9x9xf32> to tensor<2x3x11x11xf32>
  %e = tensor.empty() : tensor<2x4x5x5xf32>
  %bias = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<2x4x5x5xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%pad, %w : tensor<2x3x11x11xf32>, tensor<4x3x3x3xf32>) outs(%bias : tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32>
  %r = linalg.map ins(%c : tensor<2x4x5x5xf32>) outs(%e : tensor<2x4x5x5xf32>) (%in: f32, %o: f32) {
    %m = arith.maximumf %in, %zero : f32
    linalg.yield %m : f32
  }
  return %r : tensor<2x4x5x5xf32>
}

// -----

// A transposed convolution: the zeros between elements are read in place, and
// the flip of the weights runs the window backwards.

// CHECK-DAG: #[[$X:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d2 - d4 + 2)>
// CHECK-DAG: #[[$W:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d3, d1, d4)>
// CHECK-LABEL: func.func @transposed
// CHECK: @dispatch_0({{.*}}convolution
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 2] [2, 3, 8] [1, 1, 2]
// CHECK-NOT: @dispatch_1
func.func @transposed(%x: tensor<2x3x8xf32>, %w: tensor<3x4x3xf32>) -> tensor<2x4x17xf32> {
  %zero = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %we = tensor.empty() : tensor<4x3x3xf32>
  %wf = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%we : tensor<4x3x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %r = arith.subi %c2, %k : index
    %v = tensor.extract %w[%j, %i, %r] : tensor<3x4x3xf32>
    linalg.yield %v : f32
  } -> tensor<4x3x3xf32>
  %xe = tensor.empty() : tensor<2x3x19xf32>
  %xz = linalg.fill ins(%zero : f32) outs(%xe : tensor<2x3x19xf32>) -> tensor<2x3x19xf32>
  %xs = tensor.insert_slice %x into %xz[0, 0, 2] [2, 3, 8] [1, 1, 2] : tensor<2x3x8xf32> into tensor<2x3x19xf32>
  %e = tensor.empty() : tensor<2x4x17xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x17xf32>) -> tensor<2x4x17xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%xs, %wf : tensor<2x3x19xf32>, tensor<4x3x3xf32>) outs(%f : tensor<2x4x17xf32>) -> tensor<2x4x17xf32>
  return %c : tensor<2x4x17xf32>
}

// -----

// A window that leaves the end of its input out reads a slice.

// CHECK-LABEL: func.func @one_window
// CHECK: <reduction
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0, 0] [2, 3, 5, 5]
func.func @one_window(%x: tensor<2x3x8x8xf32>) -> tensor<2x3x1x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x1x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %w = tensor.empty() : tensor<5x5xf32>
  %p = linalg.pooling_nchw_sum {strides = dense<5> : vector<2xi64>} ins(%x, %w : tensor<2x3x8x8xf32>, tensor<5x5xf32>) outs(%f : tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  return %p : tensor<2x3x1x1xf32>
}

// -----

// CHECK-LABEL: func.func @concat
// CHECK: <pointwise
// CHECK-COUNT-3: tensor.insert_slice
// CHECK-COUNT-2: arith.select
// CHECK-NOT: @dispatch_1
func.func @concat(%x: tensor<4x3xf32>, %y: tensor<4x2xf32>, %z: tensor<4x5xf32>) -> tensor<4x10xf32> {
  %0 = tensor.concat dim(1) %x, %y, %z : (tensor<4x3xf32>, tensor<4x2xf32>, tensor<4x5xf32>) -> tensor<4x10xf32>
  return %0 : tensor<4x10xf32>
}

// -----

// CHECK-LABEL: func.func @gather
// CHECK: call @dispatch_0(%{{.*}}, %{{.*}}) : (tensor<4xi64>, tensor<8xf32>)
// CHECK: tensor.extract %arg1
func.func @gather(%x: tensor<8xf32>, %at: tensor<4xi64> {kernelskill.argument = #kernelskill.argument<"at", input, integer, scale = 8.0 : f64>}) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%at : tensor<4xi64>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: i64, %o: f32):
    %i = arith.index_cast %in : i64 to index
    %v = tensor.extract %x[%i] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @scan
// CHECK: @dispatch_0({{.*}}scan
// CHECK: kernelskill.scan
func.func @scan(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %s = kernelskill.scan ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) dimension(1) identity(0.0 : f32) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    kernelskill.yield %c : f32
  } -> tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// -----

// Insertion into another tensor, with strides: a select. What is said of a
// result stays.
// CHECK-LABEL: func.func @insert
// CHECK: <pointwise
// CHECK: arith.remsi
// CHECK: arith.select
// CHECK-NOT: @dispatch_1
func.func @insert(%x: tensor<4x9xf32>, %y: tensor<2x4xf32>) -> (tensor<4x9xf32> {test.note = "a"}) {
  %0 = tensor.insert_slice %y into %x[1, 2] [2, 4] [1, 2] : tensor<2x4xf32> into tensor<4x9xf32>
  return %0 : tensor<4x9xf32>
}

// -----

// A maximum over windows of a padded tensor: outside there is the padding.
// CHECK-LABEL: func.func @max_pool
// CHECK: <window
// CHECK: tensor.pad
// CHECK-NOT: @dispatch_1
func.func @max_pool(%x: tensor<2x3x7x7xf32>) -> tensor<2x3x4x4xf32> {
  %low = arith.constant 0xFF800000 : f32
  %pad = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %low : f32
  } : tensor<2x3x7x7xf32> to tensor<2x3x9x9xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<2x3x4x4xf32>
  %init = linalg.fill ins(%low : f32) outs(%e : tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  %0 = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>} ins(%pad, %window : tensor<2x3x9x9xf32>, tensor<3x3xf32>) outs(%init : tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  return %0 : tensor<2x3x4x4xf32>
}

// -----

// From the last element to the first, without the element itself.
// CHECK-LABEL: func.func @scan_backwards
// CHECK: kernelskill.scan {{.*}} exclusive reverse
func.func @scan_backwards(%x: tensor<4x8x3xf32>) -> tensor<4x8x3xf32> {
  %e = tensor.empty() : tensor<4x8x3xf32>
  %0 = kernelskill.scan ins(%x : tensor<4x8x3xf32>) outs(%e : tensor<4x8x3xf32>) dimension(1) identity(1.0 : f32) exclusive reverse {
  ^bb0(%a: f32, %b: f32):
    %n = arith.mulf %a, %b : f32
    kernelskill.yield %n : f32
  } -> tensor<4x8x3xf32>
  return %0 : tensor<4x8x3xf32>
}

// -----

// So long that one chain of additions would lose too many digits.
// CHECK-LABEL: func.func @long_scan
// CHECK: kernelskill.scan
func.func @long_scan(%x: tensor<2x32768xf32>) -> tensor<2x32768xf32> {
  %e = tensor.empty() : tensor<2x32768xf32>
  %0 = kernelskill.scan ins(%x : tensor<2x32768xf32>) outs(%e : tensor<2x32768xf32>) dimension(1) identity(0.0 : f32) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.addf %a, %b : f32
    kernelskill.yield %n : f32
  } -> tensor<2x32768xf32>
  return %0 : tensor<2x32768xf32>
}

// -----

// Channels split into groups: the source is split, and padded in place.

// CHECK-LABEL: func.func @groups
// CHECK: %[[X:.*]] = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2], [3]] output_shape [2, 2, 3, 8]
// CHECK: call @dispatch_0(%[[X]]
// CHECK: @dispatch_0({{.*}}convolution
// CHECK: tensor.insert_slice %{{.*}}[0, 0, 0, 1] [2, 2, 3, 8] [1, 1, 1, 1]
// CHECK-NOT: @dispatch_1
func.func @groups(%x: tensor<2x6x8xf32>, %w: tensor<2x4x3x3xf32>) -> tensor<2x2x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %pe = tensor.empty() : tensor<2x6x10xf32>
  %pz = linalg.fill ins(%zero : f32) outs(%pe : tensor<2x6x10xf32>) -> tensor<2x6x10xf32>
  %p = tensor.insert_slice %x into %pz[0, 0, 1] [2, 6, 8] [1, 1, 1] : tensor<2x6x8xf32> into tensor<2x6x10xf32>
  %g = tensor.expand_shape %p [[0], [1, 2], [3]] output_shape [2, 2, 3, 10] : tensor<2x6x10xf32> into tensor<2x2x3x10xf32>
  %e = tensor.empty() : tensor<2x2x4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x4x8xf32>) -> tensor<2x2x4x8xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(n, g, f, o, c, k) -> (n, g, c, o + k)>, affine_map<(n, g, f, o, c, k) -> (g, f, c, k)>, affine_map<(n, g, f, o, c, k) -> (n, g, f, o)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%g, %w : tensor<2x2x3x10xf32>, tensor<2x4x3x3xf32>) outs(%f : tensor<2x2x4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x2x4x8xf32>
  return %c : tensor<2x2x4x8xf32>
}
