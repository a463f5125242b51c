# The static world: archives of MLIR and LLVM named to the linker directly
# (Debian's CMake targets would bring in the shared libLLVM), unused code
# dropped. The result needs only libc (with its libm).
set(_llvm_lib ${LLVM_LIBRARY_DIRS})
file(GLOB _mlir_archives ${_llvm_lib}/libMLIR*.a)
list(FILTER _mlir_archives EXCLUDE REGEX "MLIRCAPI|Test|Runner|MLIRPython")
file(GLOB _llvm_archives ${_llvm_lib}/libLLVM*.a)
set(_system -Wl,--push-state,-Bstatic -lz -lzstd -Wl,--pop-state -lm)
set(_flags -static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,--icf=all -Wl,-s)
target_link_libraries(KernelSkillMLIR INTERFACE ${_flags} -Wl,--start-group ${_mlir_archives} ${_llvm_archives} -Wl,--end-group ${_system})
target_link_libraries(KernelSkillLLVM INTERFACE ${_flags} -Wl,--start-group ${_llvm_archives} -Wl,--end-group ${_system})
