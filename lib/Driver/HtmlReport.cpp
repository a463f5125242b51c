// Writes the HTML report; see the header.
#include "HtmlReport.h"
#include "RoundTable.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace kernelskill;

static constexpr StringLiteral style = R"(
:root{color-scheme:light dark;--fg:#1b1f24;--bg:#fff;--dim:#667;--line:#d5d9e0;
--good:#0a7d38;--bad:#c62828;--mark:#1e5fc4;--soft:#f3f5f8}
@media(prefers-color-scheme:dark){:root{--fg:#e6e8eb;--bg:#14171b;--dim:#9aa3b0;
--line:#383f49;--good:#4fc27d;--bad:#ff7b72;--mark:#79aefc;--soft:#1d2127}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg);
max-width:1000px;margin:2em auto;padding:0 1em}
h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}code{font-size:.92em}
table{border-collapse:collapse;width:100%}
td,th{text-align:left;vertical-align:top;padding:.25em .6em .25em 0;
border-bottom:1px solid var(--line);overflow-wrap:anywhere}
.dim,figcaption{color:var(--dim)}.right{color:var(--good)}
.wrong,.crash,.hang,.invalid,.refused,.compile-error{color:var(--bad)}
.result{font-size:1.2em;background:var(--soft);padding:.7em 1em;border-radius:6px}
details{margin:.2em 0}summary{cursor:pointer}figure{margin:1em 0}
svg{width:100%;height:auto}svg text{font-size:11px;fill:var(--dim)}
svg .grid{stroke:var(--line)}svg .base{stroke:var(--mark);stroke-width:2}
svg .bound{stroke:var(--bad);stroke-dasharray:5 3}
svg .achievable{stroke:var(--good);stroke-dasharray:5 3}
circle{fill:var(--bad)}circle.right{fill:var(--good)}
circle.not-judged{fill:var(--dim);opacity:.5}
)";

/// Rows of a table of reasons; beyond these a count stands.
static constexpr size_t maxRows = 60;

std::string kernelskill::htmlText(StringRef text) {
  std::string result;
  raw_string_ostream os(result);
  printHTMLEscaped(text, os);
  return result;
}

namespace {
/// An object of the report, with defaults for what is not there.
struct Fields {
  const json::Object *object;
  Fields(const json::Object *object) : object(object) {}
  std::string text(StringRef name) const {
    return htmlText(object ? object->getString(name).value_or("") : "");
  }
  double number(StringRef name) const {
    return object ? object->getNumber(name).value_or(0) : 0;
  }
  bool flag(StringRef name) const {
    return object && object->getBoolean(name).value_or(false);
  }
  Fields inner(StringRef name) const {
    return object ? object->getObject(name) : nullptr;
  }
  std::vector<Fields> list(StringRef name) const {
    std::vector<Fields> entries;
    if (const json::Array *array = object ? object->getArray(name) : nullptr)
      for (const json::Value &value : *array)
        entries.push_back(value.getAsObject());
    return entries;
  }
};
} // namespace

static std::string timeOf(Fields candidate) {
  double ms = candidate.inner("milliseconds").number("median");
  if (ms <= 0)
    return "–";
  return timeText(ms) + (candidate.flag("estimate")
                             ? " <span class=dim>(estimate)</span>"
                             : "");
}

static std::string factor(double value) {
  return value > 0 ? formatv("{0:F2}×", value).str() : "–";
}

static void writeResult(Fields report, raw_ostream &os) {
  Fields seed = report.inner("seed"), best = report.inner("best"),
         final = report.inner("final");
  os << "<p class=result>";
  if (final.object)
    os << timeText(final.number("seed_milliseconds")) << " → <b>"
       << timeText(final.number("milliseconds")) << "</b>, "
       << factor(final.number("speedup")) << " ["
       << formatv("{0:F2}, {1:F2}", final.number("speedup_low"),
                  final.number("speedup_high"))
       << "]";
  else
    os << timeOf(seed) << " → <b>" << timeOf(best) << "</b>";
  os << ", <span class=right>" << best.text("verdict")
     << "</span> against the oracle. Stopped: "
     << report.inner("stop").text("reason") << " ("
     << report.inner("stop").text("detail") << ").</p>\n";
  if (std::string launches = best.text("launches"); !launches.empty())
    os << "<p class=dim>Each run's kernels are " << launches << ".</p>\n";
  if (report.flag("estimate"))
    os << "<p class=dim>All times are estimates of an analytic model: this "
          "device measures nothing.</p>\n";
}

/// What holds dispatches back, in one line each.
static void writeDiagnoses(Fields decision, raw_ostream &os) {
  std::vector<Fields> diagnoses = decision.list("diagnoses");
  llvm::sort(diagnoses, [](const Fields &a, const Fields &b) {
    return std::pair(-a.number("timeUs"), a.text("dispatch")) <
           std::pair(-b.number("timeUs"), b.text("dispatch"));
  });
  os << "<p>Held back:</p><ul>\n";
  for (Fields diagnosis : ArrayRef(diagnoses).take_front(10)) {
    os << "<li><code>" << diagnosis.text("dispatch") << "</code> "
       << timeText(diagnosis.number("timeUs") / 1e3)
       << (diagnosis.flag("estimate") ? " (estimate)" : "") << ", bound "
       << timeText(diagnosis.number("boundUs") / 1e3);
    if (const json::Object *held = diagnosis.inner("heldUs").object)
      for (const auto &[name, us] : *held)
        os << "; " << htmlText(StringRef(name)) << " "
           << timeText(us.getAsNumber().value_or(0) / 1e3);
    os << "</li>\n";
  }
  if (diagnoses.size() > 10)
    os << "<li>and " << diagnoses.size() - 10 << " more, each faster</li>\n";
  os << "</ul>\n";
}

static void writeDecision(Fields decision, raw_ostream &os) {
  if (!decision.object)
    return;
  writeDiagnoses(decision, os);
  std::vector<Fields> edits = decision.list("edits");
  if (edits.size() > 1) {
    os << "<p>Ranked lower:</p><ul>\n";
    for (Fields edit : ArrayRef(edits).drop_front().take_front(10))
      os << "<li><b>" << edit.text("skill") << "</b> on <code>"
         << edit.text("dispatch") << "</code>: " << edit.text("reason")
         << "</li>\n";
    os << "</ul>\n";
  }
  // Of many equal dispatches' reasons, one line for all.
  std::map<std::pair<std::string, std::string>, unsigned> reasons;
  for (Fields rejection : decision.list("rejections"))
    ++reasons[{rejection.text("skill"), rejection.text("reason")}];
  os << "<p>Not chosen:</p><ul>\n";
  size_t rows = 0;
  for (const auto &[pair, count] : reasons) {
    if (++rows > maxRows) {
      os << "<li>and " << reasons.size() - maxRows
         << " more, which are in report.json</li>\n";
      break;
    }
    os << "<li><b>" << pair.first << "</b> " << pair.second;
    if (count > 1)
      os << " <span class=dim>(" << count << " dispatches)</span>";
    os << "</li>\n";
  }
  os << "</ul>\n";
}

static void writeRounds(Fields report, raw_ostream &os) {
  os << "<h2>Rounds</h2>\n<table><tr><th>round<th>skill<th>expected"
        "<th>happened<th>outcome\n";
  for (Fields round : report.list("rounds")) {
    os << "<tr><td>" << int(round.number("round")) << "<td><b>"
       << round.text("skill") << "</b><br><code>" << round.text("dispatch")
       << "</code><td>" << factor(round.number("expected")) << "<td>"
       << factor(round.number("happened")) << "<td>"
       << (round.flag("moved") ? "<span class=right>✓</span> " : "")
       << round.text("reason") << "<details><summary>why</summary><p>"
       << round.text("reason_for_plan") << "</p>";
    for (Fields expectation : round.list("expectations"))
      os << "<p>expected " << expectation.text("feature") << " "
         << expectation.text("direction") << ": "
         << formatv("{0:g} → {1:g}", expectation.number("before"),
                    expectation.number("after"))
         << (expectation.flag("estimate") ? " (estimate)" : "") << ", "
         << expectation.text("met") << "</p>";
    writeDecision(round.inner("decision"), os);
    os << "</details>\n";
  }
  os << "</table>\n";
  if (Fields last = report.inner("stop").inner("decision");
      last.object && !last.object->empty()) {
    os << "<details><summary>Why no skill came after the last "
          "round</summary>\n";
    writeDecision(last, os);
    os << "</details>\n";
  }
}

static void writeCandidates(Fields report, raw_ostream &os) {
  std::vector<Fields> candidates = report.list("candidates");
  os << "<h2>Verdicts</h2>\n<details><summary>" << candidates.size()
     << " candidates</summary>\n<table><tr><th>round<th>edit<th>verdict"
        "<th>time<th>over its base\n";
  for (Fields candidate : candidates) {
    os << "<tr><td>" << int(candidate.number("round")) << "<td>"
       << candidate.text("edit") << "<td><span class='"
       << candidate.text("verdict") << "'>" << candidate.text("verdict")
       << "</span>";
    if (std::string reason = candidate.text("reason"); !reason.empty())
      os << ": " << reason;
    os << "<td>" << timeOf(candidate) << "<td>"
       << factor(candidate.inner("speedup").number("median")) << "\n";
  }
  os << "</table></details>\n";
}

std::string kernelskill::htmlReport(const json::Object &object) {
  Fields report(&object);
  std::string page;
  raw_string_ostream os(page);
  Fields device = report.inner("device");
  os << "<!DOCTYPE html>\n<html lang=en><meta charset=utf-8>\n<meta "
        "name=viewport content='width=device-width'>\n<title>KernelSkill: "
     << report.text("payload") << "</title>\n<style>" << style
     << "</style>\n<h1>" << report.text("payload") << "</h1>\n<p>for "
     << report.text("chip") << " on " << device.text("name") << ", numerics "
     << report.text("numerics") << ", kernelskill "
     << report.text("kernelskill") << "</p>\n";
  writeResult(report, os);
  if (std::string figure = timeFigure(object); !figure.empty())
    os << "<h2>Time against rounds</h2>\n<figure>" << figure
       << "<figcaption>Each dot is a setting; the line is the base. Grey: not "
          "judged."
       << (report.flag("estimate") ? " Times are estimates." : "")
       << "</figcaption></figure>\n";
  if (std::string figure = rooflineFigure(object); !figure.empty())
    os << "<h2>Roofline</h2>\n<figure>" << figure
       << "<figcaption>Each dot is a dispatch of the base."
       << (report.inner("roofline").flag("estimate") ? " Times are estimates."
                                                     : "")
       << "</figcaption></figure>\n";
  writeRounds(report, os);
  writeCandidates(report, os);
  os << "<h2>Files</h2>\n<ul>\n";
  if (const json::Object *files = report.inner("files").object)
    for (const auto &[name, path] : *files)
      os << "<li>" << htmlText(StringRef(name)) << ": <code>"
         << htmlText(path.getAsString().value_or("")) << "</code></li>\n";
  os << "</ul>\n</html>\n";
  return page;
}
