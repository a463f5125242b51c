// The journal: the short-term memory of one run, a file of JSON lines.
//
// The first line is the header (what was asked), then one line for each plan of
// a round, one for each candidate that was judged, one for each finished round,
// and the end, in the order in which they happened. Every line is on the disk
// (fsync) before the run goes on, so a run that is killed resumes from its
// journal and repeats nothing: a round whose plan is there is finished by it.
#ifndef KERNELSKILL_MEMORY_JOURNAL_H
#define KERNELSKILL_MEMORY_JOURNAL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kernelskill {

inline constexpr int64_t kJournalVersion = 2;

/// What a run was asked to do. A journal is resumed only by a run that agrees
/// in all but `options`.
struct JournalHeader {
  std::string producer;    // "kernelskill 0.1.0"
  std::string payload;     // path as given, for people
  std::string payloadHash; // of the payload's canonical text
  std::string chip, device, numerics;
  llvm::json::Object options; // rounds, budget, skills: for people
};

/// What became of a candidate.
enum class Outcome : uint8_t {
  Refused,      // a step of the recipe does not apply
  CompileError, // lowering or ptxas failed
  Crash,        // the build or the run died
  Hang,         // the build or the run exceeded its time
  Wrong,        // judged against the oracle and rejected
  Right,        // judged against the oracle and accepted
  Invalid,      // timed below what any program can reach: not believed
  NotJudged     // at first sight no better than others: not worth judging
};
llvm::StringRef outcomeName(Outcome verdict);
std::optional<Outcome> parseOutcome(llvm::StringRef name);

/// A median with its 95 % interval.
struct JournalInterval {
  double median = 0, low = 0, high = 0;
};

/// One candidate: payload + recipe, and all that is known of it.
struct CandidateRecord {
  std::string hash;        // canonical hash: the candidate's identity
  std::string parent;      // hash of its base; empty for the seed
  int64_t round = 0;       // 0: the seed and candidates from outside
  std::string edit;        // what was done to the parent, one line
  std::string skill;       // empty for the seed and candidates from outside
  std::string fingerprint; // of the dispatch that was edited
  std::string dispatch;    // its name, for people
  std::map<std::string, std::string> knobs; // attribute texts
  std::string recipe;                       // text of the recipe
  Outcome verdict = Outcome::Refused;
  std::string stage;  // where it failed: parse, apply, lower, run, …
  std::string reason; // one line; empty when all went well
  std::optional<JournalInterval> milliseconds;
  bool estimate = false; // the time is the model's, not a measurement
  std::optional<std::string> launches; // in the timing; LoadedProgram::launches
  std::optional<JournalInterval> speedup; // over the parent, interleaved
  double expected = 0; // gain that the plan expected, a factor; 0: none
  double seconds = 0;  // wall time that the candidate cost
};

/// What a round is going to do, written before its first candidate.
struct PlanRecord {
  struct Trial {
    std::map<std::string, std::string> knobs;
    std::string hash; // canonical hash of the recipe that they lead to
  };
  int64_t round = 0;
  std::string base; // hash of the candidate that it edits
  std::string edit; // add-step, replace-step, set-knobs
  std::string skill, fingerprint;
  int64_t step = -1;  // of the base's recipe, unless a step is added
  double gain = 0;    // expected, microseconds a program run
  std::string reason; // one line
  std::vector<Trial> trials;
  llvm::json::Object decision; // of the policy: diagnosis, ranking, rejections
};

/// One finished round.
struct RoundRecord {
  int64_t round = 0;
  std::string skill, fingerprint, dispatch;
  std::string chosen;  // hash of the round's best right candidate; may be empty
  std::string base;    // hash of the base after the round
  std::string best;    // hash of the fastest right candidate so far
  bool moved = false;  // the base moved
  std::string reason;  // why it moved or not, one line
  double expected = 0; // gain that the plan expected, a factor; 0: none
  double happened = 0; // gain of the best setting, a factor; 0: not known
  /// What the skill was to move, and what became of it: objects of "feature",
  /// "direction", "before", "after" (null: not known) and "met" (yes, no,
  /// unknown).
  llvm::json::Array expectations;
};

/// Which candidate the run ends with, after the fastest were timed once more,
/// together. Times are absent where nothing is measured.
struct ResultRecord {
  std::string best;
  int64_t contenders = 0; // that were timed against each other
  std::optional<JournalInterval> milliseconds, seedMilliseconds;
  std::optional<JournalInterval> speedup; // over the seed, interleaved
};

/// The end of a run. A later run with other limits may go on after it.
struct StopRecord {
  std::string
      reason; // roofline, no-skill, no-progress, rounds, budget, interrupted
  std::string detail;          // one line
  llvm::json::Object decision; // of the policy, if it found no skill
};

/// All that a journal says.
struct JournalContents {
  JournalHeader header;
  std::vector<CandidateRecord> candidates;
  std::vector<PlanRecord> plans;
  std::vector<RoundRecord> rounds;
  std::optional<StopRecord> stop;     // the last one, if no round follows it
  std::optional<ResultRecord> result; // if no candidate follows it
  double spentSeconds = 0;            // of the budget, by all runs until now
  bool droppedLastLine = false; // a kill cut the last line; it was ignored
  uint64_t validBytes = 0;      // of the file, up to the last whole line

  const CandidateRecord *find(llvm::StringRef hash) const;
  /// The fastest right candidate, the earlier one of two; null if none is
  /// right. One without a time (the CPU device's model does not know every
  /// access) is slower than those with one.
  const CandidateRecord *best() const;
  /// The plan of a round, or null.
  const PlanRecord *plan(int64_t round) const;
};

/// Reads a journal. A damaged or foreign file is an error that names the file,
/// the line and what to do; a cut last line is tolerated.
llvm::Expected<JournalContents> readJournal(llvm::StringRef path);

/// An error unless `found` is the journal of the run that `asked` describes.
llvm::Error checkJournalMatches(const JournalHeader &found,
                                const JournalHeader &asked,
                                llvm::StringRef path);

llvm::json::Object toJson(const JournalHeader &header);
llvm::json::Object toJson(const CandidateRecord &record);
llvm::json::Object toJson(const PlanRecord &record);
llvm::json::Object toJson(const RoundRecord &record);
llvm::json::Object toJson(const StopRecord &record);
llvm::json::Object toJson(const ResultRecord &record);

/// Keeps a folder to one run: two that write one journal would spoil it. The
/// lock goes with the process, however that ends; the file stays.
class FolderLock {
public:
  /// An error, which names the other process, if the folder is taken.
  static llvm::Expected<FolderLock> take(llvm::StringRef folder);
  FolderLock(FolderLock &&other);
  FolderLock &operator=(FolderLock &&) = delete;
  ~FolderLock();

private:
  explicit FolderLock(int descriptor) : descriptor(descriptor) {}
  int descriptor;
};

/// Appends to a journal. Each call returns after the line is on the disk.
class JournalWriter {
public:
  /// Starts a new journal; an error if the file exists or can't be made.
  static llvm::Expected<JournalWriter> create(llvm::StringRef path,
                                              const JournalHeader &header);
  /// Goes on after the last whole line of `contents`, dropping a cut one.
  static llvm::Expected<JournalWriter> resume(llvm::StringRef path,
                                              const JournalContents &contents);
  JournalWriter(JournalWriter &&other);
  JournalWriter &operator=(JournalWriter &&) = delete;
  ~JournalWriter();

  /// `spentSeconds`: of the budget, by all runs of this journal until now.
  llvm::Error append(llvm::json::Object record, double spentSeconds = 0);

private:
  JournalWriter(int descriptor, std::string path)
      : descriptor(descriptor), path(std::move(path)) {}
  int descriptor;
  std::string path;
};

} // namespace kernelskill

#endif // KERNELSKILL_MEMORY_JOURNAL_H
