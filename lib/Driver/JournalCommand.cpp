// `journal DIR`: prints what a run did.
#include "Commands.h"
#include "OutputFile.h"
#include "RoundTable.h"

using namespace llvm;
using namespace kernelskill;

Expected<ExitCode> kernelskill::runJournal(const Options &options) {
  std::string path = options.operand;
  if (sys::fs::is_directory(path))
    path = joinPath(path, "journal.jsonl");
  if (!sys::fs::exists(path))
    return makeError(ExitCode::Input,
                     path + ": there is no journal; name the output folder of "
                            "'kernelskill optimize'");
  Expected<JournalContents> contents = readJournal(path);
  if (!contents)
    return withCode(ExitCode::Input, contents.takeError());
  if (contents->droppedLastLine)
    errs() << "kernelskill: note: " << path
           << ": the last line was cut and is ignored\n";
  if (options.json()) {
    json::Array candidates, rounds;
    for (const CandidateRecord &record : contents->candidates)
      candidates.push_back(toJson(record));
    for (const RoundRecord &record : contents->rounds)
      rounds.push_back(toJson(record));
    json::Object object{{"header", toJson(contents->header)},
                        {"candidates", std::move(candidates)},
                        {"rounds", std::move(rounds)}};
    if (contents->stop)
      object["stop"] = toJson(*contents->stop);
    printJson(std::move(object));
    return ExitCode::Success;
  }
  outs() << contents->header.payload << " on " << contents->header.device
         << " for " << contents->header.chip << ", numerics "
         << contents->header.numerics << "\n\n";
  const CandidateRecord *best = contents->best();
  printRoundTable(*contents, best ? best->hash : "", outs());
  return ExitCode::Success;
}
