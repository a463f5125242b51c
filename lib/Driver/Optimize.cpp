// The loop: plan, edit the recipe, build, judge, time, keep what is faster.
#include "Optimize.h"
#include "Interrupt.h"

using namespace llvm;
using namespace kernelskill;

Error kernelskill::optimize(Search &search, ArrayRef<Trial> candidates) {
  if (Error error = search.judgeSeed())
    return error;
  if (Error error = search.judgeOutside(candidates))
    return error;
  if (Error error = search.finishOpenRound())
    return error;
  auto stop = [&](StopRecord reason) -> Error {
    if (Error error = search.settleBest())
      return error;
    return search.stop(std::move(reason));
  };
  while (true) {
    if (std::optional<StopRecord> reason = search.stopReason())
      return stop(std::move(*reason));
    Expected<Decision> decision = search.planNext();
    if (!decision)
      return decision.takeError();
    if (decision->edits.empty())
      return stop({"no-skill", decision->summary, {}});
    if (Error error = search.runRound(decision->edits.front()))
      return error;
  }
}
