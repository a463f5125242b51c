// Prints the table of rounds; see the header.
#include "RoundTable.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace kernelskill;

std::string kernelskill::timeText(const CandidateRecord &candidate) {
  if (!candidate.milliseconds)
    return "-";
  double ms = candidate.milliseconds->median;
  std::string text = ms >= 0.1 ? formatv("{0:F3} ms", ms).str()
                               : formatv("{0:F2} µs", ms * 1e3).str();
  return candidate.estimate ? text + " (estimate)" : text;
}

std::string kernelskill::verdictText(const CandidateRecord &candidate) {
  std::string text = outcomeName(candidate.verdict).str();
  if (candidate.verdict == Outcome::NotJudged)
    return "slower, not judged";
  if (candidate.verdict != Outcome::Right && !candidate.stage.empty())
    text += " (" + candidate.stage + ")";
  return text;
}

static std::string changeText(const CandidateRecord &candidate) {
  if (!candidate.speedup)
    return "";
  return formatv("{0:F2}x", candidate.speedup->median);
}

/// Pads to a width in characters, not bytes (µ takes two).
static std::string padded(StringRef text, size_t width) {
  size_t length = count_if(text, [](char c) { return (c & 0xC0) != 0x80; });
  return text.str() + std::string(length < width ? width - length : 1, ' ');
}

void kernelskill::printRoundTable(const JournalContents &contents,
                                  raw_ostream &os) {
  os << padded("round", 7) << padded("time", 24) << padded("gain", 9)
     << padded("verdict", 22) << "edit\n";
  std::string best = contents.rounds.empty() ? "" : contents.rounds.back().best;
  for (const CandidateRecord &candidate : contents.candidates) {
    bool winner = any_of(contents.rounds, [&](const RoundRecord &round) {
      return round.moved && round.chosen == candidate.hash;
    });
    std::string edit = candidate.edit;
    if (candidate.verdict != Outcome::Right && !candidate.reason.empty())
      edit += ": " + candidate.reason;
    os << padded(std::to_string(candidate.round), 7)
       << padded(timeText(candidate), 24) << padded(changeText(candidate), 9)
       << padded(verdictText(candidate), 22) << (winner ? "* " : "") << edit
       << (candidate.hash == best ? "  <- best" : "") << "\n";
  }
  if (contents.stop)
    os << "stopped: " << contents.stop->reason << " (" << contents.stop->detail
       << ")\n";
}
