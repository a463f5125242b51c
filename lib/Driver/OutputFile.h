// Files and folders that a command leaves behind. A file is whole or not there:
// it is written under another name and renamed.
#ifndef KERNELSKILL_LIB_DRIVER_OUTPUTFILE_H
#define KERNELSKILL_LIB_DRIVER_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>

namespace kernelskill {

/// Errors are input errors that name the path and say what to do.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef text);
/// Makes the folder and its parents, and tries to write into it.
llvm::Error makeFolder(llvm::StringRef path);
/// The text of a file.
llvm::Expected<std::string> readFile(llvm::StringRef path);
/// `folder` / `name`.
std::string joinPath(llvm::StringRef folder, llvm::StringRef name);

/// A folder for the time of a command, removed with all it holds.
class ScratchFolder {
public:
  static llvm::Expected<ScratchFolder> make();
  ScratchFolder(ScratchFolder &&other)
      : folder(std::exchange(other.folder, "")) {}
  ScratchFolder &operator=(ScratchFolder &&) = delete;
  ~ScratchFolder();
  llvm::StringRef path() const { return folder; }

private:
  explicit ScratchFolder(std::string folder) : folder(std::move(folder)) {}
  std::string folder;
};

} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_OUTPUTFILE_H
