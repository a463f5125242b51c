// Finds ptxas and libdevice. All of the room's looks at the environment are
// here.
#include "KernelSkill/Lowering/Lowering.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>

using namespace kernelskill;

/// Roots of CUDA installations, in the order in which they are tried.
static std::vector<std::string> cudaRoots() {
  std::vector<std::string> roots;
  for (const char *name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *value = std::getenv(name); value && *value)
      roots.push_back(value);
  roots.push_back("/usr/local/cuda");
  // KERNELSKILL_CUDA names the folder of NVIDIA's PyPI wheels: an environment's
  // site-packages/nvidia/cu13, or the site-packages itself.
  if (const char *value = std::getenv("KERNELSKILL_CUDA"); value && *value) {
    roots.push_back(value);
    llvm::SmallString<128> nested(value);
    llvm::sys::path::append(nested, "nvidia", "cu13");
    roots.push_back(nested.str().str());
  }
  return roots;
}

/// The first root that has `relative`, or an error that lists what was tried.
static llvm::Expected<std::string> findInRoots(llvm::StringRef what,
                                               llvm::StringRef relative,
                                               llvm::StringRef tried,
                                               llvm::StringRef advice) {
  std::string list = tried.str();
  for (const std::string &root : cudaRoots()) {
    llvm::SmallString<128> path(root);
    llvm::sys::path::append(path, relative);
    if (llvm::sys::fs::exists(path))
      return path.str().str();
    list += (list.empty() ? "" : ", ") + path.str().str();
  }
  return llvm::createStringError(what + " not found; tried " + list + "; " +
                                 advice);
}

llvm::Expected<std::string> kernelskill::findPtxas() {
  if (llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName("ptxas"))
    return *found;
  return findInRoots("ptxas", "bin/ptxas", "$PATH",
                     "install CUDA 13's compiler (the PyPI package "
                     "nvidia-cuda-nvcc will do) and put ptxas on PATH or set "
                     "CUDA_HOME");
}

llvm::Expected<std::string> kernelskill::findLibdevice() {
  return findInRoots("libdevice.10.bc", "nvvm/libdevice/libdevice.10.bc", "",
                     "install CUDA 13's compiler (the PyPI package "
                     "nvidia-nvvm will do) and set CUDA_HOME");
}
