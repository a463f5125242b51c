# Thin wrappers: one library a room, one precompiled header for the rooms that
# use MLIR and a small one for those that must not, ccache when it is there.

find_program(KERNELSKILL_CCACHE ccache)
if(KERNELSKILL_CCACHE)
  # Sloppiness is what lets ccache share objects that use a precompiled header.
  set(_launcher ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${KERNELSKILL_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${_launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${_launcher})
endif()
add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang$<SEMICOLON>-fno-pch-timestamp>)

include_directories(${CMAKE_CURRENT_SOURCE_DIR}/include ${CMAKE_CURRENT_BINARY_DIR}/include)
include_directories(SYSTEM ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
add_definitions(${LLVM_DEFINITIONS})

# MLIR and LLVM as one dependency. Debian's CMake targets for single MLIR
# libraries are archives of code that libMLIR.so holds too; naming both
# registers everything twice, so exactly one of the two worlds is linked.
add_library(KernelSkillMLIR INTERFACE)
add_library(KernelSkillLLVM INTERFACE)
if(KERNELSKILL_STATIC)
  include(StaticLLVM)
else()
  target_link_libraries(KernelSkillMLIR INTERFACE MLIR LLVM)
  target_link_libraries(KernelSkillLLVM INTERFACE LLVM)
endif()

# kernelskill_add_room(<Room> [LLVM_ONLY] [DEPENDS targets] [LINK libs])
#   Builds KernelSkill<Room> from all sources of the calling folder. LLVM_ONLY
#   rooms see no MLIR header (their precompiled header has none).
function(kernelskill_add_room room)
  cmake_parse_arguments(ARG "LLVM_ONLY" "" "DEPENDS;LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(name KernelSkill${room})
  if(NOT sources)
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${ARG_LINK})
    return()
  endif()
  add_library(${name} STATIC ${sources})
  if(ARG_LLVM_ONLY)
    target_link_libraries(${name} PUBLIC ${ARG_LINK} KernelSkillLLVM)
    target_precompile_headers(${name} REUSE_FROM KernelSkillPchLLVM)
  else()
    target_link_libraries(${name} PUBLIC ${ARG_LINK} KernelSkillMLIR)
    target_precompile_headers(${name} REUSE_FROM KernelSkillPchMLIR)
  endif()
  add_dependencies(${name} kernelskill-headers ${ARG_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY KERNELSKILL_ROOMS ${name})
endfunction()

# kernelskill_embed(<variable> <symbol> <file>): compiles the text of <file> into
# the C++ source <variable>, as `extern const char <symbol>[]`.
function(kernelskill_embed variable symbol file)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.embed.cpp)
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DIN=${CMAKE_CURRENT_SOURCE_DIR}/${file} -DOUT=${out} -DSYMBOL=${symbol}
            -P ${PROJECT_SOURCE_DIR}/cmake/Embed.cmake
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${PROJECT_SOURCE_DIR}/cmake/Embed.cmake VERBATIM)
  set(${variable} ${out} PARENT_SCOPE)
endfunction()

# kernelskill_add_tool(<name> <library> sources…): an executable that shares the
# precompiled header of the MLIR rooms (so it is compiled -fPIC like them).
function(kernelskill_add_tool name library)
  add_executable(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
  target_precompile_headers(${name} REUSE_FROM KernelSkillPchMLIR)
  target_link_libraries(${name} PRIVATE ${library})
endfunction()
