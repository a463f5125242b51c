// A bad chip, PTX version or tool is an error that says what there is, never an
// abort of LLVM.

// RUN: not kernelskill-opt %s --kernelskill-lower-to-program="chip=sm_42" 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: unknown chip 'sm_42'; known chips: sm_80, {{.*}}sm_90a

// RUN: not kernelskill-opt %s --kernelskill-lower-to-program="ptx-version=+ptx60" 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: error: PTX version '+ptx60' is too old for sm_90a, which needs +ptx80 or later: +ptx80, {{.*}}+ptx86

// RUN: not kernelskill-opt %s --kernelskill-lower-to-ptx="ptx-version=+ptx99" -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown PTX version '+ptx99'; sm_90a takes +ptx80

// RUN: not kernelskill-opt %s --kernelskill-lower-to-program="ptx-version=8.0" 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: error: unknown PTX version '8.0'

// RUN: not kernelskill-opt %s --kernelskill-lower-to-program="ptxas=%t.missing" 2>&1 | FileCheck %s --check-prefix=PTXAS
// PTXAS: error: ptxas ('{{.*}}.missing') failed

// RUN: not kernelskill-opt %s --kernelskill-lower-to-program="libdevice=%t.missing" 2>&1 | FileCheck %s --check-prefix=LIBDEVICE
// LIBDEVICE: error: cannot read libdevice '{{.*}}.missing'

// RUN: not kernelskill-opt %s --kernelskill-lower-to-program="output=%t.none/x.ksp" 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: error: {{.*}}.none

// A child that hangs is stopped.
// RUN: printf '#!/bin/sh\nexec sleep 30\n' > %t.slow && chmod +x %t.slow
// RUN: not kernelskill-opt %s --kernelskill-lower-to-program="ptxas=%t.slow ptxas-seconds=1 cpu=0" 2>&1 | FileCheck %s --check-prefix=SLOW
// SLOW: error: ptxas ('{{.*}}.slow') was stopped: {{.*}}(limit 1 s)

// ptxas' own errors and its C75xx warnings are handed on.
// RUN: printf '#!/bin/sh\necho "ptxas fatal   : no such thing" >&2\nexit 255\n' > %t.fatal && chmod +x %t.fatal
// RUN: not kernelskill-opt %s --kernelskill-lower-to-program="ptxas=%t.fatal cpu=0" 2>&1 | FileCheck %s --check-prefix=FATAL
// FATAL: error: ptxas ('{{.*}}.fatal') failed with exit code 255: ptxas fatal   : no such thing
// RUN: printf '#!/bin/sh\necho "ptxas info : (C7510) Potential Performance Loss: wgmma serialized" >&2\n' > %t.warning && chmod +x %t.warning
// RUN: not kernelskill-opt %s --kernelskill-lower-to-program="ptxas=%t.warning cpu=0" 2>&1 | FileCheck %s --check-prefix=WARNING
// WARNING: error: ptxas warns: ptxas info : (C7510) Potential Performance Loss

gpu.module @k {
  gpu.func @f(%x: memref<4xf32>) kernel
      attributes {known_block_size = array<i32: 4, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<4xf32>
    %e = math.exp %v : f32
    memref.store %e, %x[%t] : memref<4xf32>
    gpu.return
  }
}
