// Prints the table of rounds; see the header.
#include "RoundTable.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace kernelskill;

std::string kernelskill::timeText(double ms) {
  return ms >= 0.1 ? formatv("{0:F3} ms", ms).str()
                   : formatv("{0:F2} µs", ms * 1e3).str();
}

std::string kernelskill::timeText(const CandidateRecord &candidate) {
  if (!candidate.milliseconds)
    return "-";
  std::string text = timeText(candidate.milliseconds->median);
  return candidate.estimate ? text + " (estimate)" : text;
}

std::string kernelskill::verdictText(const CandidateRecord &candidate) {
  std::string text = outcomeName(candidate.verdict).str();
  if (candidate.verdict == Outcome::NotJudged)
    return "not judged";
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

namespace {
/// The candidates of one round (0: the seed and those from outside).
struct RoundRows {
  const JournalContents &contents;
  SmallVector<const CandidateRecord *> candidates;

  /// The knobs by which the round's settings differ: " {tile_m = 32}".
  std::string knobText(const CandidateRecord &candidate) const {
    std::string text;
    for (const auto &[name, value] : candidate.knobs) {
      bool differs =
          any_of(candidates,
                 [&, key = &name, own = &value](const CandidateRecord *other) {
                   auto found = other->knobs.find(*key);
                   return found == other->knobs.end() || found->second != *own;
                 });
      if (differs)
        text += (text.empty() ? " {" : ", ") + name + " = " + value;
    }
    return text.empty() ? text : text + "}";
  }
  /// The fastest right one, or the fastest, or the first.
  const CandidateRecord *front() const {
    auto better = [](const CandidateRecord *a, const CandidateRecord *b) {
      bool rightA = a->verdict == Outcome::Right,
           rightB = b->verdict == Outcome::Right;
      if (rightA != rightB)
        return rightA;
      if (!a->milliseconds || !b->milliseconds)
        return a->milliseconds && !b->milliseconds;
      return a->milliseconds->median < b->milliseconds->median;
    };
    return *std::min_element(candidates.begin(), candidates.end(), better);
  }
  /// "; 34 settings: 27 not judged, 7 right"
  std::string countText() const {
    if (candidates.size() < 2)
      return "";
    std::map<std::string, unsigned> counts;
    for (const CandidateRecord *candidate : candidates)
      ++counts[candidate->verdict == Outcome::NotJudged
                   ? "not judged"
                   : outcomeName(candidate->verdict).str()];
    std::string text = formatv("; {0} settings:", candidates.size());
    for (const auto &[name, count] : counts)
      text +=
          formatv("{0} {1} {2}", text.back() == ':' ? "" : ",", count, name);
    return text;
  }
};
} // namespace

static void printRow(const CandidateRecord &candidate, const Twine &edit,
                     raw_ostream &os) {
  os << padded(std::to_string(candidate.round), 7)
     << padded(timeText(candidate), 24) << padded(changeText(candidate), 9)
     << padded(verdictText(candidate), 22) << edit << "\n";
}

/// One row for a round's best setting, and one for each that failed.
static void printRound(const RoundRows &rows, StringRef best, raw_ostream &os) {
  const CandidateRecord *front = rows.front();
  for (const CandidateRecord *candidate : rows.candidates) {
    bool failed = candidate->verdict != Outcome::Right &&
                  candidate->verdict != Outcome::NotJudged;
    // Round 0 holds unrelated candidates.
    if (candidate != front && !failed && candidate->round != 0)
      continue;
    bool moved = any_of(rows.contents.rounds, [&](const RoundRecord &round) {
      return round.moved && round.chosen == candidate->hash;
    });
    std::string name =
        candidate->skill.empty() ? candidate->edit : candidate->skill;
    std::string text = (moved ? "* " : "") + name + rows.knobText(*candidate);
    if (!candidate->reason.empty() && failed)
      text += ": " + candidate->reason;
    if (candidate == front && candidate->round != 0)
      text += rows.countText();
    if (candidate->hash == best)
      text += "  <- best";
    printRow(*candidate, text, os);
  }
}

void kernelskill::printRoundTable(const JournalContents &contents,
                                  StringRef best, raw_ostream &os) {
  os << padded("round", 7) << padded("time", 24) << padded("gain", 9)
     << padded("verdict", 22) << "edit\n";
  std::map<int64_t, RoundRows> rounds;
  for (const CandidateRecord &candidate : contents.candidates)
    rounds.try_emplace(candidate.round, RoundRows{contents, {}})
        .first->second.candidates.push_back(&candidate);
  for (const auto &[number, rows] : rounds)
    printRound(rows, best, os);
  if (contents.stop)
    os << "stopped: " << contents.stop->reason << " (" << contents.stop->detail
       << ")\n";
}
