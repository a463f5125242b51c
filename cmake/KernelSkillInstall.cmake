# What an installation holds: the tools, the C interface with its library, and a
# package for find_package(KernelSkill), which gives KernelSkill::kernelskill.
include(CMakePackageConfigHelpers)
set(_package ${CMAKE_INSTALL_LIBDIR}/cmake/KernelSkill)
set_target_properties(KernelSkillRuntimeShared PROPERTIES EXPORT_NAME kernelskill)
target_include_directories(KernelSkillRuntimeShared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS KernelSkillRuntimeShared EXPORT KernelSkill COMPONENT runtime LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT KernelSkill NAMESPACE KernelSkill:: COMPONENT runtime FILE KernelSkillTargets.cmake DESTINATION ${_package})
install(FILES include/KernelSkill/Runtime/CApi.h COMPONENT runtime DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/KernelSkill/Runtime)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/KernelSkillConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/KernelSkillConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/KernelSkillConfigVersion.cmake
  COMPONENT runtime DESTINATION ${_package})

install(TARGETS kernelskill COMPONENT tools DESTINATION ${CMAKE_INSTALL_BINDIR})
# The Python tools stay in folders of their own, and find each other there.
foreach(_tool import export bench)
  install(DIRECTORY tools/kernelskill-${_tool} COMPONENT runtime DESTINATION ${CMAKE_INSTALL_DATADIR}/kernelskill/tools
    USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)
endforeach()
