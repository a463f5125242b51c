// Builds and judges the cases of SelfTest.mlir.in and RedTeam.mlir.in. See the
// header.
#include "KernelSkill/Verify/SelfTest.h"

#include "KernelSkill/IR/KernelSkillDialect.h"
#include "KernelSkill/Verify/Judge.h"
#include "KernelSkill/Verify/Oracle.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace mlir;
using namespace kernelskill;

namespace kernelskill {
extern const char kVerifySelfTestSource[];
extern const char kVerifyRedTeamSource[];
} // namespace kernelskill

namespace {

struct Section {
  StringRef kind, program, name, text; // "right", "rows", "tree in …", code
  StringRef exploit;                   // class of a wrong kernel
  SmallVector<StringRef, 2> causes;    // of a wrong kernel
};

// "=== KIND PROGRAM NAME [CLASS] -> CAUSE | CAUSE", then the text up to the
// next such line.
void readSections(StringRef source, std::vector<Section> &sections) {
  source = source.substr(source.find("\n=== ") + 1);
  while (source.consume_front("=== ")) {
    Section section;
    StringRef head;
    std::tie(head, source) = source.split('\n');
    std::tie(section.kind, head) = head.split(' ');
    std::tie(section.program, head) = head.split(' ');
    std::tie(section.name, head) = head.split(" -> ");
    std::tie(section.name, section.exploit) = section.name.split(" [");
    section.exploit.consume_back("]");
    head.split(section.causes, " | ", -1, /*KeepEmpty=*/false);
    size_t end = source.find("\n=== ");
    section.text = source.substr(0, end);
    source = end == StringRef::npos ? StringRef() : source.substr(end + 1);
    sections.push_back(section);
  }
}

// A text "edit NAME", then groups of lines to take out of the right kernel NAME
// ("- …", without indentation) and to put in their place ("+ …"). The lines of
// a group follow each other in the kernel, and only there.
llvm::Expected<std::string> applyEdits(StringRef edits, StringRef kernel) {
  SmallVector<StringRef> lines, rest;
  kernel.split(lines, '\n');
  edits.split(rest, '\n');
  std::vector<std::string> result;
  for (StringRef line : lines)
    result.push_back(line.trim().str());
  for (size_t at = 0; at < rest.size();) {
    std::vector<std::string> out, in;
    for (; at < rest.size() && rest[at].consume_front("- "); ++at)
      out.push_back(rest[at].trim().str());
    for (; at < rest.size() && rest[at].consume_front("+ "); ++at)
      in.push_back(rest[at].str());
    if (out.empty()) {
      ++at;
      continue;
    }
    auto found =
        std::search(result.begin(), result.end(), out.begin(), out.end());
    if (found == result.end() ||
        std::search(found + 1, result.end(), out.begin(), out.end()) !=
            result.end())
      return llvm::createStringError("self-test: '" + out.front() +
                                     "' is not once in the kernel to edit");
    found = result.erase(found, found + out.size());
    result.insert(found, in.begin(), in.end());
  }
  return llvm::join(result, "\n");
}

std::string replaceAll(std::string text, StringRef name, StringRef value) {
  std::string what = ("@" + name + "@").str();
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos;
       at += value.size())
    text.replace(at, what.size(), value.str());
  return text;
}

// A GPU is tested with one wrong element in 10^8; the CPU device with what it
// can do in a second.
class SelfTest {
public:
  SelfTest(SelfTestJudge &judge, const LoweringOptions &options)
      : judge(judge), options(options), isCpu(options.cpu) {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registry.insert<KernelSkillDialect>();
    context.appendDialectRegistry(registry);
    // Errors are told by the llvm::Error that this makes of them.
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
        return;
      messages += messages.empty() ? "" : "; ";
      messages += diagnostic.str();
    });
  }

  llvm::Error run(SelfTestReport &report);

private:
  std::string withSizes(std::string text) const;
  llvm::Expected<OwningOpRef<ModuleOp>> parse(const std::string &text);
  llvm::Error failed(const Twine &what) {
    return llvm::createStringError("self-test: " + what + ": " + messages);
  }
  llvm::Expected<std::string> textOf(const Section &section,
                                     llvm::ArrayRef<Section> sections) const;
  bool isWanted(const Section &section) const;
  llvm::Error runProgram(StringRef program, llvm::ArrayRef<Section> sections,
                         SelfTestReport &report);

  SelfTestJudge &judge;
  LoweringOptions options;
  bool isCpu;
  MLIRContext context;
  std::string messages;
};

} // namespace

std::string SelfTest::withSizes(std::string text) const {
  int64_t elements = isCpu ? 20011 : 100000007;
  int64_t rows = isCpu ? 3 : 256, columns = 65536;
  for (auto [name, value] :
       std::initializer_list<std::pair<StringRef, int64_t>>{
           {"N", elements},
           {"LAST", elements - 1},
           {"MIDDLE", elements / 2},
           {"GRID", (elements + 256) / 256},
           {"R", rows},
           {"K", columns},
           {"HALFK", columns / 2},
           {"S", elements},
           {"SPAD", elements + 2},
           {"HUGE", isCpu ? 4000000000000 : 50000000000},
           {"SGRID", (elements + 255) / 256},
           {"P", elements / 5},
           {"PGRID", (elements / 5 + 255) / 256}})
    text = replaceAll(std::move(text), name, std::to_string(value));
  return text;
}

llvm::Expected<OwningOpRef<ModuleOp>> SelfTest::parse(const std::string &text) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(withSizes(text), &context, "self-test");
  if (!module)
    return failed("parsing");
  return module;
}

llvm::Expected<std::string>
SelfTest::textOf(const Section &section,
                 llvm::ArrayRef<Section> sections) const {
  // Comments may stand before.
  StringRef text = section.text;
  while (text.starts_with("//"))
    text = text.split('\n').second;
  if (!text.consume_front("edit "))
    return section.text.str();
  auto [name, edits] = text.split('\n');
  for (const Section &base : sections)
    if (base.kind == "right" && base.program == section.program &&
        base.name == name)
      return applyEdits(edits, base.text);
  return llvm::createStringError("self-test: '" + section.name + "' edits '" +
                                 name + "', which is not there");
}

// What only the CPU device's checks find, and what would end this process with
// the GPU that it holds, is left out.
bool SelfTest::isWanted(const Section &section) const {
  return section.kind == "right" || section.kind == "wrong" ||
         (section.kind == "wrong-cpu" && isCpu) ||
         (section.kind == "hostile" && judge.outlivesFaults());
}

llvm::Error SelfTest::runProgram(StringRef program,
                                 llvm::ArrayRef<Section> sections,
                                 SelfTestReport &report) {
  std::string payloadText, skeleton;
  for (const Section &section : sections) {
    if (section.program != program)
      continue;
    if (section.kind == "payload")
      payloadText = section.text.str();
    else if (section.kind == "skeleton")
      skeleton = section.text.str();
  }
  llvm::Expected<OwningOpRef<ModuleOp>> payload = parse(payloadText);
  if (!payload)
    return payload.takeError();
  FailureOr<OraclePrograms> oracle = buildOracle(**payload, options);
  if (mlir::failed(oracle))
    return failed("building the oracle of '" + program + "'");
  if (llvm::Error error = judge.setup(std::move(*oracle)))
    return error;
  for (const Section &section : sections) {
    bool right = section.kind == "right";
    if (section.program != program || section.kind == "payload" ||
        section.kind == "skeleton")
      continue;
    if (!isWanted(section)) {
      report.leftOut.push_back(section.name.str());
      continue;
    }
    llvm::Expected<std::string> text = textOf(section, sections);
    if (!text)
      return text.takeError();
    llvm::Expected<OwningOpRef<ModuleOp>> module =
        parse(replaceAll(skeleton, "BODY", *text));
    if (!module)
      return llvm::joinErrors(llvm::createStringError("'" + section.name + "'"),
                              module.takeError());
    FailureOr<Program> candidate = lowerToProgram(**module, options);
    if (mlir::failed(candidate))
      return failed("lowering '" + section.name + "'");
    llvm::Expected<Verdict> verdict = judge.judge(*candidate);
    if (!verdict)
      return verdict.takeError();
    bool lost = verdict->deviceLost && !judge.outlivesFaults();
    std::vector<std::string> causes(section.causes.begin(),
                                    section.causes.end());
    report.rows.push_back({section.name.str(), program.str(),
                           section.exploit.str(), right, std::move(causes),
                           std::move(*verdict)});
    if (lost)
      return llvm::createStringError("self-test: the device was lost by '" +
                                     section.name +
                                     "'; run again in a new process");
  }
  return llvm::Error::success();
}

llvm::Error SelfTest::run(SelfTestReport &report) {
  std::vector<Section> sections;
  readSections(kVerifySelfTestSource, sections);
  readSections(kVerifyRedTeamSource, sections);
  for (const Section &section : sections)
    if (section.kind == "payload")
      if (llvm::Error error = runProgram(section.program, sections, report))
        return error;
  return llvm::Error::success();
}

bool SelfTestRow::passed() const {
  if (mustBeRight)
    return verdict.right();
  return !verdict.right() && llvm::is_contained(causes, verdict.cause);
}

bool SelfTestReport::passed() const {
  return !rows.empty() && llvm::all_of(rows, [](const SelfTestRow &row) {
    return row.passed();
  });
}

namespace {

class JudgeInProcess : public SelfTestJudge {
public:
  explicit JudgeInProcess(Device &device) : device(device) {}

  llvm::Error setup(OraclePrograms programs) override {
    judging.reset(); // its memory first
    auto made = Judge::create(device, std::move(programs));
    if (!made)
      return made.takeError();
    judging = std::move(*made);
    return llvm::Error::success();
  }
  llvm::Expected<Verdict> judge(const Program &candidate) override {
    JudgeOptions options;
    options.candidateSeconds = 3; // one of them loops for ever
    return judging->judge(candidate, options);
  }
  bool outlivesFaults() const override {
    return device.properties().kind == "cpu";
  }

private:
  Device &device;
  std::unique_ptr<Judge> judging;
};

} // namespace

llvm::Expected<SelfTestReport>
kernelskill::runSelfTest(SelfTestJudge &judge, const LoweringOptions &options) {
  SelfTestReport report;
  SelfTest test(judge, options);
  if (llvm::Error error = test.run(report))
    return std::move(error);
  return report;
}

llvm::Expected<SelfTestReport>
kernelskill::runSelfTest(Device &device, const LoweringOptions &options) {
  LoweringOptions wanted = options;
  wanted.cpu = device.properties().kind == "cpu";
  wanted.ptx = !wanted.cpu;
  wanted.cubin = !wanted.cpu && options.cubin;
  JudgeInProcess judge(device);
  return runSelfTest(judge, wanted);
}

namespace {

struct Tally {
  size_t judged = 0, asWanted = 0;
  void add(bool wanted) {
    ++judged;
    asWanted += wanted;
  }
};

} // namespace

void kernelskill::printSelfTest(const SelfTestReport &report,
                                llvm::raw_ostream &os) {
  os << llvm::formatv("{0,-11}{1,-36}{2,-8}{3,-9}{4,-24}{5}\n", "program",
                      "kernel", "must be", "verdict", "cause", "");
  Tally right, wrong;
  size_t otherCause = 0;
  llvm::MapVector<StringRef, Tally> classes;
  for (const SelfTestRow &row : report.rows) {
    os << llvm::formatv("{0,-11}{1,-36}{2,-8}{3,-9}{4,-24}{5}\n", row.program,
                        row.name, row.mustBeRight ? "right" : "wrong",
                        verdictName(row.verdict.kind), row.verdict.cause,
                        row.passed() ? "ok" : "FAILED");
    bool accepted = row.verdict.right();
    if (row.mustBeRight) {
      right.add(accepted);
      continue;
    }
    wrong.add(!accepted);
    classes[row.exploit].add(!accepted);
    otherCause += !accepted && !row.passed();
  }
  os << "\n";
  for (auto &[exploit, tally] : classes)
    os << llvm::formatv("{0,-30}{1} of {2} rejected\n", exploit, tally.asWanted,
                        tally.judged);
  if (!report.leftOut.empty())
    os << report.leftOut.size()
       << " wrong kernels left out here: " << llvm::join(report.leftOut, ", ")
       << "\n";
  if (otherCause)
    os << otherCause << " rejected, but for another cause\n";
  os << llvm::formatv(
      "{0} of {1} wrong kernels rejected, {2} of {3} right ones accepted\n",
      wrong.asWanted, wrong.judged, right.asWanted, right.judged);
}

llvm::json::Value kernelskill::toJSON(const SelfTestReport &report) {
  llvm::json::Array rows;
  for (const SelfTestRow &row : report.rows)
    rows.push_back(llvm::json::Object{{"program", row.program},
                                      {"kernel", row.name},
                                      {"class", row.exploit},
                                      {"mustBeRight", row.mustBeRight},
                                      {"passed", row.passed()},
                                      {"verdict", toJSON(row.verdict)}});
  return llvm::json::Object{{"passed", report.passed()},
                            {"leftOut", llvm::json::Array(report.leftOut)},
                            {"rows", std::move(rows)}};
}
