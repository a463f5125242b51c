# find_package(KernelSkill) gives KernelSkill::kernelskill, the C interface.
include(${CMAKE_CURRENT_LIST_DIR}/KernelSkillTargets.cmake)
