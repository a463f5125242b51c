// A guard before LLVM's JSON parser, which calls itself for each level: a file
// of nothing but brackets would use up the stack.
#ifndef KERNELSKILL_RUNTIME_JSONNESTING_H
#define KERNELSKILL_RUNTIME_JSONNESTING_H

#include "llvm/ADT/StringRef.h"

namespace kernelskill {

/// Whether objects and arrays are nested in more than `levels`. None of our
/// files needs more than a handful.
inline bool isNestedTooDeeply(llvm::StringRef text, unsigned levels = 32) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      i += c == '\\';
      inString = c != '"';
      continue;
    }
    inString = c == '"';
    if (c == '[' || c == '{')
      if (++depth > levels)
        return true;
    if ((c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return false;
}

} // namespace kernelskill

#endif // KERNELSKILL_RUNTIME_JSONNESTING_H
