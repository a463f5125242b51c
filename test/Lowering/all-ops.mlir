// RUN: kernelskill-opt %s --split-input-file --kernelskill-lower-to-ptx -o /dev/null | FileCheck %s --check-prefix=PTX
// RUN: kernelskill-opt %s --split-input-file --kernelskill-lower-to-cpu="checks=0" | FileCheck %s --check-prefix=CPU

// Every math and arith operation on floats and integers has a lowering on both
// devices; none is left as a call that only one of them has.

// PTX: .entry floats
// PTX-NOT: __nv_
// PTX: .entry halves
// PTX-NOT: __nv_
// PTX: .entry integers
// PTX-NOT: __nv_

// CPU: llvm.func @floats
// CPU-NOT: __nv_
// CPU: llvm.func @halves
// CPU-NOT: __nv_
// CPU: llvm.func @integers
// CPU-NOT: __nv_

gpu.module @k {
  gpu.func @floats(%x: memref<32xf32>, %y: memref<32xf32>, %o: memref<32xf32>, %p: memref<32xi1>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<32xf32>
    %b = memref.load %y[%i] : memref<32xf32>
    %v0 = math.absf %a : f32
    memref.store %v0, %o[%i] : memref<32xf32>
    %v1 = math.acos %a : f32
    memref.store %v1, %o[%i] : memref<32xf32>
    %v2 = math.acosh %a : f32
    memref.store %v2, %o[%i] : memref<32xf32>
    %v3 = math.asin %a : f32
    memref.store %v3, %o[%i] : memref<32xf32>
    %v4 = math.asinh %a : f32
    memref.store %v4, %o[%i] : memref<32xf32>
    %v5 = math.atan %a : f32
    memref.store %v5, %o[%i] : memref<32xf32>
    %v6 = math.atanh %a : f32
    memref.store %v6, %o[%i] : memref<32xf32>
    %v7 = math.cbrt %a : f32
    memref.store %v7, %o[%i] : memref<32xf32>
    %v8 = math.ceil %a : f32
    memref.store %v8, %o[%i] : memref<32xf32>
    %v9 = math.cos %a : f32
    memref.store %v9, %o[%i] : memref<32xf32>
    %v10 = math.cosh %a : f32
    memref.store %v10, %o[%i] : memref<32xf32>
    %v11 = math.erf %a : f32
    memref.store %v11, %o[%i] : memref<32xf32>
    %v12 = math.erfc %a : f32
    memref.store %v12, %o[%i] : memref<32xf32>
    %v13 = math.exp %a : f32
    memref.store %v13, %o[%i] : memref<32xf32>
    %v14 = math.exp2 %a : f32
    memref.store %v14, %o[%i] : memref<32xf32>
    %v15 = math.expm1 %a : f32
    memref.store %v15, %o[%i] : memref<32xf32>
    %v16 = math.floor %a : f32
    memref.store %v16, %o[%i] : memref<32xf32>
    %v17 = math.log %a : f32
    memref.store %v17, %o[%i] : memref<32xf32>
    %v18 = math.log10 %a : f32
    memref.store %v18, %o[%i] : memref<32xf32>
    %v19 = math.log1p %a : f32
    memref.store %v19, %o[%i] : memref<32xf32>
    %v20 = math.log2 %a : f32
    memref.store %v20, %o[%i] : memref<32xf32>
    %v21 = math.round %a : f32
    memref.store %v21, %o[%i] : memref<32xf32>
    %v22 = math.roundeven %a : f32
    memref.store %v22, %o[%i] : memref<32xf32>
    %v23 = math.rsqrt %a : f32
    memref.store %v23, %o[%i] : memref<32xf32>
    %v24 = math.sin %a : f32
    memref.store %v24, %o[%i] : memref<32xf32>
    %v25 = math.sinh %a : f32
    memref.store %v25, %o[%i] : memref<32xf32>
    %v26 = math.sqrt %a : f32
    memref.store %v26, %o[%i] : memref<32xf32>
    %v27 = math.tan %a : f32
    memref.store %v27, %o[%i] : memref<32xf32>
    %v28 = math.tanh %a : f32
    memref.store %v28, %o[%i] : memref<32xf32>
    %v29 = math.trunc %a : f32
    memref.store %v29, %o[%i] : memref<32xf32>
    %v30 = math.atan2 %a, %b : f32
    memref.store %v30, %o[%i] : memref<32xf32>
    %v31 = math.copysign %a, %b : f32
    memref.store %v31, %o[%i] : memref<32xf32>
    %v32 = math.powf %a, %b : f32
    memref.store %v32, %o[%i] : memref<32xf32>
    %v33 = math.isfinite %a : f32
    memref.store %v33, %p[%i] : memref<32xi1>
    %v34 = math.isinf %a : f32
    memref.store %v34, %p[%i] : memref<32xi1>
    %v35 = math.isnan %a : f32
    memref.store %v35, %p[%i] : memref<32xi1>
    %v36 = math.isnormal %a : f32
    memref.store %v36, %p[%i] : memref<32xi1>
    %v37 = arith.addf %a, %b : f32
    memref.store %v37, %o[%i] : memref<32xf32>
    %v38 = arith.subf %a, %b : f32
    memref.store %v38, %o[%i] : memref<32xf32>
    %v39 = arith.mulf %a, %b : f32
    memref.store %v39, %o[%i] : memref<32xf32>
    %v40 = arith.divf %a, %b : f32
    memref.store %v40, %o[%i] : memref<32xf32>
    %v41 = arith.remf %a, %b : f32
    memref.store %v41, %o[%i] : memref<32xf32>
    %v42 = arith.maximumf %a, %b : f32
    memref.store %v42, %o[%i] : memref<32xf32>
    %v43 = arith.minimumf %a, %b : f32
    memref.store %v43, %o[%i] : memref<32xf32>
    %v44 = arith.maxnumf %a, %b : f32
    memref.store %v44, %o[%i] : memref<32xf32>
    %v45 = arith.minnumf %a, %b : f32
    memref.store %v45, %o[%i] : memref<32xf32>
    %v46 = arith.negf %a : f32
    memref.store %v46, %o[%i] : memref<32xf32>
    %v47 = math.fma %a, %b, %a : f32
    memref.store %v47, %o[%i] : memref<32xf32>
    %n = arith.fptosi %b : f32 to i32
    %v48 = math.fpowi %a, %n : f32, i32
    memref.store %v48, %o[%i] : memref<32xf32>
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @halves(%x: memref<32xbf16>, %y: memref<32xbf16>, %o: memref<32xbf16>, %p: memref<32xi1>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<32xbf16>
    %b = memref.load %y[%i] : memref<32xbf16>
    %v0 = math.absf %a : bf16
    memref.store %v0, %o[%i] : memref<32xbf16>
    %v1 = math.acos %a : bf16
    memref.store %v1, %o[%i] : memref<32xbf16>
    %v2 = math.acosh %a : bf16
    memref.store %v2, %o[%i] : memref<32xbf16>
    %v3 = math.asin %a : bf16
    memref.store %v3, %o[%i] : memref<32xbf16>
    %v4 = math.asinh %a : bf16
    memref.store %v4, %o[%i] : memref<32xbf16>
    %v5 = math.atan %a : bf16
    memref.store %v5, %o[%i] : memref<32xbf16>
    %v6 = math.atanh %a : bf16
    memref.store %v6, %o[%i] : memref<32xbf16>
    %v7 = math.cbrt %a : bf16
    memref.store %v7, %o[%i] : memref<32xbf16>
    %v8 = math.ceil %a : bf16
    memref.store %v8, %o[%i] : memref<32xbf16>
    %v9 = math.cos %a : bf16
    memref.store %v9, %o[%i] : memref<32xbf16>
    %v10 = math.cosh %a : bf16
    memref.store %v10, %o[%i] : memref<32xbf16>
    %v11 = math.erf %a : bf16
    memref.store %v11, %o[%i] : memref<32xbf16>
    %v12 = math.erfc %a : bf16
    memref.store %v12, %o[%i] : memref<32xbf16>
    %v13 = math.exp %a : bf16
    memref.store %v13, %o[%i] : memref<32xbf16>
    %v14 = math.exp2 %a : bf16
    memref.store %v14, %o[%i] : memref<32xbf16>
    %v15 = math.expm1 %a : bf16
    memref.store %v15, %o[%i] : memref<32xbf16>
    %v16 = math.floor %a : bf16
    memref.store %v16, %o[%i] : memref<32xbf16>
    %v17 = math.log %a : bf16
    memref.store %v17, %o[%i] : memref<32xbf16>
    %v18 = math.log10 %a : bf16
    memref.store %v18, %o[%i] : memref<32xbf16>
    %v19 = math.log1p %a : bf16
    memref.store %v19, %o[%i] : memref<32xbf16>
    %v20 = math.log2 %a : bf16
    memref.store %v20, %o[%i] : memref<32xbf16>
    %v21 = math.round %a : bf16
    memref.store %v21, %o[%i] : memref<32xbf16>
    %v22 = math.roundeven %a : bf16
    memref.store %v22, %o[%i] : memref<32xbf16>
    %v23 = math.rsqrt %a : bf16
    memref.store %v23, %o[%i] : memref<32xbf16>
    %v24 = math.sin %a : bf16
    memref.store %v24, %o[%i] : memref<32xbf16>
    %v25 = math.sinh %a : bf16
    memref.store %v25, %o[%i] : memref<32xbf16>
    %v26 = math.sqrt %a : bf16
    memref.store %v26, %o[%i] : memref<32xbf16>
    %v27 = math.tan %a : bf16
    memref.store %v27, %o[%i] : memref<32xbf16>
    %v28 = math.tanh %a : bf16
    memref.store %v28, %o[%i] : memref<32xbf16>
    %v29 = math.trunc %a : bf16
    memref.store %v29, %o[%i] : memref<32xbf16>
    %v30 = math.atan2 %a, %b : bf16
    memref.store %v30, %o[%i] : memref<32xbf16>
    %v31 = math.copysign %a, %b : bf16
    memref.store %v31, %o[%i] : memref<32xbf16>
    %v32 = math.powf %a, %b : bf16
    memref.store %v32, %o[%i] : memref<32xbf16>
    %v33 = math.isfinite %a : bf16
    memref.store %v33, %p[%i] : memref<32xi1>
    %v34 = math.isinf %a : bf16
    memref.store %v34, %p[%i] : memref<32xi1>
    %v35 = math.isnan %a : bf16
    memref.store %v35, %p[%i] : memref<32xi1>
    %v36 = math.isnormal %a : bf16
    memref.store %v36, %p[%i] : memref<32xi1>
    %v37 = arith.addf %a, %b : bf16
    memref.store %v37, %o[%i] : memref<32xbf16>
    %v38 = arith.subf %a, %b : bf16
    memref.store %v38, %o[%i] : memref<32xbf16>
    %v39 = arith.mulf %a, %b : bf16
    memref.store %v39, %o[%i] : memref<32xbf16>
    %v40 = arith.divf %a, %b : bf16
    memref.store %v40, %o[%i] : memref<32xbf16>
    %v41 = arith.remf %a, %b : bf16
    memref.store %v41, %o[%i] : memref<32xbf16>
    %v42 = arith.maximumf %a, %b : bf16
    memref.store %v42, %o[%i] : memref<32xbf16>
    %v43 = arith.minimumf %a, %b : bf16
    memref.store %v43, %o[%i] : memref<32xbf16>
    %v44 = arith.maxnumf %a, %b : bf16
    memref.store %v44, %o[%i] : memref<32xbf16>
    %v45 = arith.minnumf %a, %b : bf16
    memref.store %v45, %o[%i] : memref<32xbf16>
    %v46 = arith.negf %a : bf16
    memref.store %v46, %o[%i] : memref<32xbf16>
    %v47 = math.fma %a, %b, %a : bf16
    memref.store %v47, %o[%i] : memref<32xbf16>
    %n = arith.fptosi %b : bf16 to i32
    %v48 = math.fpowi %a, %n : bf16, i32
    memref.store %v48, %o[%i] : memref<32xbf16>
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @integers(%x: memref<32xi32>, %y: memref<32xi32>, %o: memref<32xi32>, %p: memref<32xi1>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %i = gpu.thread_id x
    %a = memref.load %x[%i] : memref<32xi32>
    %b = memref.load %y[%i] : memref<32xi32>
    %v0 = math.absi %a : i32
    memref.store %v0, %o[%i] : memref<32xi32>
    %v1 = math.ctlz %a : i32
    memref.store %v1, %o[%i] : memref<32xi32>
    %v2 = math.cttz %a : i32
    memref.store %v2, %o[%i] : memref<32xi32>
    %v3 = math.ctpop %a : i32
    memref.store %v3, %o[%i] : memref<32xi32>
    %v4 = math.ipowi %a, %b : i32
    memref.store %v4, %o[%i] : memref<32xi32>
    %v5 = arith.addi %a, %b : i32
    memref.store %v5, %o[%i] : memref<32xi32>
    %v6 = arith.subi %a, %b : i32
    memref.store %v6, %o[%i] : memref<32xi32>
    %v7 = arith.muli %a, %b : i32
    memref.store %v7, %o[%i] : memref<32xi32>
    %v8 = arith.divsi %a, %b : i32
    memref.store %v8, %o[%i] : memref<32xi32>
    %v9 = arith.divui %a, %b : i32
    memref.store %v9, %o[%i] : memref<32xi32>
    %v10 = arith.remsi %a, %b : i32
    memref.store %v10, %o[%i] : memref<32xi32>
    %v11 = arith.remui %a, %b : i32
    memref.store %v11, %o[%i] : memref<32xi32>
    %v12 = arith.andi %a, %b : i32
    memref.store %v12, %o[%i] : memref<32xi32>
    %v13 = arith.ori %a, %b : i32
    memref.store %v13, %o[%i] : memref<32xi32>
    %v14 = arith.xori %a, %b : i32
    memref.store %v14, %o[%i] : memref<32xi32>
    %v15 = arith.shli %a, %b : i32
    memref.store %v15, %o[%i] : memref<32xi32>
    %v16 = arith.shrsi %a, %b : i32
    memref.store %v16, %o[%i] : memref<32xi32>
    %v17 = arith.shrui %a, %b : i32
    memref.store %v17, %o[%i] : memref<32xi32>
    %v18 = arith.maxsi %a, %b : i32
    memref.store %v18, %o[%i] : memref<32xi32>
    %v19 = arith.maxui %a, %b : i32
    memref.store %v19, %o[%i] : memref<32xi32>
    %v20 = arith.minsi %a, %b : i32
    memref.store %v20, %o[%i] : memref<32xi32>
    %v21 = arith.minui %a, %b : i32
    memref.store %v21, %o[%i] : memref<32xi32>
    %v22 = arith.ceildivsi %a, %b : i32
    memref.store %v22, %o[%i] : memref<32xi32>
    %v23 = arith.ceildivui %a, %b : i32
    memref.store %v23, %o[%i] : memref<32xi32>
    %v24 = arith.floordivsi %a, %b : i32
    memref.store %v24, %o[%i] : memref<32xi32>
    gpu.return
  }
}
