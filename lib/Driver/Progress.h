// What a run tells while it works: one line that changes on a terminal, one
// line a round elsewhere. All on stderr.
#ifndef KERNELSKILL_LIB_DRIVER_PROGRESS_H
#define KERNELSKILL_LIB_DRIVER_PROGRESS_H

#include "llvm/ADT/Twine.h"

namespace kernelskill {

class Progress {
public:
  Progress();
  ~Progress() { clear(); }
  /// What is going on now; shown on a terminal only.
  void show(const llvm::Twine &what);
  /// A line that stays.
  void say(const llvm::Twine &line);
  void clear();
  bool quiet = false;

private:
  bool terminal;
  bool shown = false;
};

} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_PROGRESS_H
