// Prints progress; see the header.
#include "Progress.h"

#include <unistd.h>

using namespace llvm;
using namespace kernelskill;

Progress::Progress() : terminal(isatty(2)) {}

void Progress::clear() {
  if (shown)
    errs() << "\r\033[K";
  shown = false;
}

void Progress::show(const Twine &what) {
  if (!terminal || quiet)
    return;
  clear();
  // A longer line would wrap and could not be taken back.
  errs() << StringRef(what.str()).take_front(100);
  shown = true;
}

void Progress::say(const Twine &line) {
  if (quiet)
    return;
  clear();
  errs() << line << "\n";
}
