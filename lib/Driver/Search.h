// The state of one run of `optimize`, and what the loop does with it: build,
// judge and time candidates, keep the journal, move the base. It decides
// nothing: what to try next is the policy's (Skills room).
#ifndef KERNELSKILL_LIB_DRIVER_SEARCH_H
#define KERNELSKILL_LIB_DRIVER_SEARCH_H

#include "BuildJob.h"
#include "KernelSkill/Skills/Policy.h"
#include "PayloadFile.h"
#include "Progress.h"
#include "Worker.h"

namespace kernelskill {

struct SearchSettings {
  PayloadFile payload;
  std::string folder; // all results
  std::string chip, device, numerics;
  std::vector<std::string> skills; // folders
  unsigned rounds = 15;
  double budgetSeconds = 60;
  bool fresh = false; // put an old journal aside
  bool json = false;
};

/// Seconds that the run spent, by what it waited for.
struct SearchTiming {
  double build = 0, judge = 0, time = 0, plan = 0, total = 0;
};

/// A recipe to try, and where it comes from.
struct Trial {
  std::string hash, recipe; // canonical hash and text
  std::string edit;         // one line
  std::string skill, fingerprint;
  KnobAssignment knobs;
  double expected = 0; // gain as a factor; 0: none stated
};

/// The chip to compile for when none was asked for: the GPU's.
std::string defaultChip(const DeviceProperties &device);
/// Reads the analysis.json that a build left.
llvm::Expected<AnalysisReport> readAnalysis(llvm::StringRef path);

class Search {
public:
  /// Starts the worker, builds the oracle, opens or makes the journal.
  static llvm::Expected<std::unique_ptr<Search>>
  open(SearchSettings settings, mlir::MLIRContext &context);

  /// Builds, judges and times the empty recipe. What keeps the seed from being
  /// right is an error: nothing can be done with such a payload.
  llvm::Error judgeSeed();
  /// Judges recipes from outside against the base; the fastest becomes it.
  llvm::Error judgeOutside(llvm::ArrayRef<Trial> trials);
  /// Features and time of the base → what to do next.
  llvm::Expected<Decision> planNext();
  /// Tries the knob settings of one edit, and moves the base if one gains.
  llvm::Error runRound(const PlannedEdit &edit);
  /// Finishes a round that an earlier run planned but could not finish.
  llvm::Error finishOpenRound();
  /// Why to stop before another round, if there is a reason.
  std::optional<StopRecord> stopReason() const;
  llvm::Error stop(StopRecord reason);
  /// Builds the best with all images into the output folder, compares it with
  /// the seed once more, and writes recipe and reports.
  llvm::Error writeResults();
  /// Times the fastest right candidates and the seed once more, together, and
  /// takes the winner as the result. The base stays.
  llvm::Error settleBest();

  const JournalContents &journal() const { return contents; }
  const CandidateRecord *base() const { return contents.find(baseHash); }
  const CandidateRecord *best() const { return contents.find(bestHash); }
  const CandidateRecord *seed() const { return contents.find(seedHash); }
  const SearchSettings &options() const { return settings; }
  const Worker &device() const { return *worker; }
  llvm::json::Object report() const;
  llvm::json::Object roofline() const;
  /// For the terminal: the table, the result and where the files lie.
  void printSummary(llvm::raw_ostream &os) const;

private:
  explicit Search(mlir::MLIRContext &context) : context(context) {}
  llvm::Error openJournal();
  llvm::Error buildOracle();
  void takeState();
  llvm::Error setBase(std::string hash);
  void updateBest();
  llvm::Error write(llvm::json::Object record);
  void addOutcome(const PlannedEdit &edit, RoundRecord &record);
  llvm::Error finishRound(const PlannedEdit &edit);
  std::optional<PlannedEdit> openEdit();
  static double runSecondsOf(const CandidateRecord &base);
  llvm::Expected<std::vector<Trial>> trialsOf(const PlannedEdit &edit);

  BuildSettings buildSettings() const;
  std::string folderOf(llvm::StringRef hash) const;
  /// Builds a candidate of the journal again if its files are gone.
  llvm::Error ensureBuilt(const CandidateRecord &candidate);

  /// Which trials are judged: all, or the fastest until one is right.
  enum class Effort { All, Fastest };
  llvm::Error evaluate(llvm::ArrayRef<Trial> trials, double seconds,
                       Effort effort);
  llvm::Error buildAndScreen(llvm::ArrayRef<Trial> trials, double seconds,
                             std::vector<CandidateRecord> &screened);
  llvm::Error judgeScreened(std::vector<CandidateRecord> &screened,
                            Effort effort);
  CandidateRecord recordOf(const Trial &trial) const;
  llvm::Error buildForJudge(CandidateRecord &record);
  llvm::Error judgeAndTime(CandidateRecord &record);
  llvm::Error judgeCandidate(CandidateRecord &record);
  llvm::Error timeCandidate(CandidateRecord &record, unsigned samples);
  llvm::Expected<double> boundOf(const CandidateRecord &record) const;
  void estimateCandidate(CandidateRecord &record);
  llvm::json::Object readCounters(const CandidateRecord &candidate);
  llvm::Error append(CandidateRecord record);

  /// The record of this round that gains most over the base, if one does.
  const CandidateRecord *winnerOf(int64_t round) const;
  Measurements readMeasurements(const CandidateRecord &candidate);
  History history() const;
  double spentSeconds() const;
  double secondsLeft() const;
  /// What no program can beat, and what the measured copy bandwidth allows.
  double boundMilliseconds() const;
  double achievableMilliseconds() const;
  llvm::Error copyBest();
  const ResultRecord *settledTimes() const;

  mlir::MLIRContext &context;
  SearchSettings settings;
  std::optional<Worker> worker;
  std::optional<SkillLibrary> library;
  std::optional<FolderLock> lock;
  std::optional<JournalWriter> writer;
  JournalContents contents;
  std::string seedHash, baseHash, bestHash;
  int64_t round = 0; // the one that runs, or the last finished
  std::optional<AnalysisReport> baseReport;
  llvm::json::Object lastDecision;
  double copyBytesPerSecond = 0;
  std::map<std::string, llvm::json::Object> counters; // by candidate
  std::string countersProblem;                        // why there are none
  double spentBefore = 0;      // of the budget, by earlier runs of the journal
  std::string cpuImageProblem; // why the result has no image for the CPU
  bool resumed = false;
  SearchTiming timing;
  Progress progress;
  Clock::time_point start = Clock::now();
};

} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_SEARCH_H
