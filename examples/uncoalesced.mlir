// A kernel as it is often written first: y = 2 x + 1 on a matrix, where x of the
// block indexes rows. Neighbouring threads then access elements that are a whole
// row apart, and each access of a warp touches 32 sectors of memory instead of 4.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @scale(
        %x: memref<8192x8192xf32> {kernelskill.argument = #kernelskill.argument<"x", input, normal>, llvm.noalias, llvm.readonly},
        %y: memref<8192x8192xf32> {kernelskill.argument = #kernelskill.argument<"y", buffer, zeros>, llvm.noalias})
        kernel attributes {known_block_size = array<i32: 32, 32, 1>, known_grid_size = array<i32: 256, 256, 1>} {
      %two = arith.constant 2.0 : f32
      %one = arith.constant 1.0 : f32
      %row = gpu.global_id x
      %column = gpu.global_id y
      %element = memref.load %x[%row, %column] : memref<8192x8192xf32>
      %product = arith.mulf %element, %two : f32
      %result = arith.addf %product, %one : f32
      memref.store %result, %y[%row, %column] : memref<8192x8192xf32>
      gpu.return
    }
  }
}
