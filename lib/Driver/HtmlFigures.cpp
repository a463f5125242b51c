// The figures of the HTML report; see the header.
#include "HtmlReport.h"
#include "RoundTable.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace kernelskill;

namespace {
constexpr double width = 720, height = 300, left = 80, right = 16, top = 16,
                 bottom = 44;

/// One axis: values to pixels, by logarithm if asked.
struct Scale {
  double low, high, from, to;
  bool isLog;
  double operator()(double value) const {
    auto place = [&](double v) { return isLog ? std::log10(v) : v; };
    double span = place(high) - place(low);
    return from +
           (to - from) * (span > 0 ? (place(value) - place(low)) / span : 0.5);
  }
};

/// The least and the greatest of positive values.
struct Range {
  double low = INFINITY, high = 0;
  void add(double value) {
    if (value <= 0 || !std::isfinite(value))
      return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return high <= 0; }
};
} // namespace

static double number(const json::Object *object, StringRef name) {
  return object ? object->getNumber(name).value_or(0) : 0;
}

static std::string text(double x, double y, StringRef anchor,
                        const Twine &content) {
  return formatv("<text x='{0:F1}' y='{1:F1}' text-anchor='{2}'>{3}</text>\n",
                 x, y, anchor, htmlText(content.str()));
}

static std::string line(StringRef style, double x1, double y1, double x2,
                        double y2) {
  return formatv("<line class='{0}' x1='{1:F1}' y1='{2:F1}' x2='{3:F1}' "
                 "y2='{4:F1}'/>\n",
                 style, x1, y1, x2, y2);
}

static std::string dot(StringRef style, double x, double y,
                       const Twine &title) {
  return formatv("<circle class='{0}' cx='{1:F1}' cy='{2:F1}' r='4'><title>"
                 "{3}</title></circle>\n",
                 style, x, y, htmlText(title.str()));
}

static std::string figure(StringRef label, StringRef body) {
  return formatv("<svg viewBox='0 0 {0} {1}' role='img' "
                 "aria-label='{2}'>\n{3}</svg>\n",
                 int(width), int(height), label, body);
}

/// At most six digits, no zeros at the end.
static std::string shortNumber(double value) {
  std::string digits;
  raw_string_ostream(digits) << format("%g", value);
  return digits;
}

/// 1, 2 and 5 times powers of ten within a range.
static std::vector<double> ticks(double low, double high) {
  std::vector<double> values;
  bool isWide = high / low > 300;
  for (double decade = std::pow(10, std::floor(std::log10(low)));
       decade <= high; decade *= 10)
    for (double step : {1.0, 2.0, 5.0})
      if ((step == 1 || !isWide) && decade * step >= low &&
          decade * step <= high)
        values.push_back(decade * step);
  return values;
}

std::string kernelskill::timeFigure(const json::Object &report) {
  const json::Array *candidates = report.getArray("candidates");
  Range times;
  double rounds = 1;
  for (const json::Value &value : candidates ? *candidates : json::Array()) {
    const json::Object *candidate = value.getAsObject();
    times.add(number(candidate ? candidate->getObject("milliseconds") : nullptr,
                     "median"));
    rounds = std::max(rounds, number(candidate, "round"));
  }
  if (times.empty())
    return "";
  double bound = number(&report, "bound_ms");
  double achievable = number(&report, "achievable_ms");
  times.add(bound);
  times.add(achievable);
  Scale x{0, rounds, left + 12, width - right - 12, false};
  Scale y{times.low / 1.15, times.high * 1.15, height - bottom, top, true};
  std::string body;
  for (double tick : ticks(y.low, y.high)) {
    body += line("grid", left, y(tick), width - right, y(tick));
    body += text(left - 6, y(tick) + 4, "end", timeText(tick));
  }
  unsigned every = std::max(1.0, std::ceil(rounds / 15));
  for (unsigned round = 0; round <= rounds; round += every)
    body += text(x(round), height - bottom + 18, "middle", Twine(round));
  body += text((left + width) / 2, height - 6, "middle", "round");
  for (auto [name, value] : {std::pair<StringRef, double>{"bound", bound},
                             {"achievable", achievable}})
    if (value > 0) {
      body += line(name, left, y(value), width - right, y(value));
      // They may lie on each other: one label at each end.
      body += name == "bound" ? text(left + 24, y(value) - 4, "start", name)
                              : text(width - right, y(value) - 4, "end", name);
    }
  std::map<std::string, double> byHash;
  std::string dots, judgedDots; // the judged ones hide the others
  for (const json::Value &value : candidates ? *candidates : json::Array()) {
    const json::Object *candidate = value.getAsObject();
    if (!candidate)
      continue;
    const json::Object *interval = candidate->getObject("milliseconds");
    double ms = number(interval, "median");
    StringRef verdict = candidate->getString("verdict").value_or("");
    byHash[candidate->getString("hash").value_or("").str()] = ms;
    if (ms > 0)
      (verdict == "not-judged" ? dots : judgedDots) +=
          dot(verdict, x(number(candidate, "round")), y(ms),
              candidate->getString("edit").value_or("") + ": " + timeText(ms) +
                  ", " + verdict);
  }
  // The base goes down in steps, where a round moved it.
  const json::Object *seed = report.getObject("seed");
  double base =
      number(seed ? seed->getObject("milliseconds") : nullptr, "median");
  double at = 0;
  const json::Array *finished = report.getArray("rounds");
  for (const json::Value &value : finished ? *finished : json::Array()) {
    const json::Object *record = value.getAsObject();
    double next =
        record ? byHash[record->getString("base").value_or("").str()] : 0;
    double round = number(record, "round");
    if (base <= 0 || next <= 0)
      continue;
    body += line("base", x(at), y(base), x(round), y(base));
    body += line("base", x(round), y(base), x(round), y(next));
    base = next;
    at = round;
  }
  return figure("time against rounds", body + dots + judgedDots);
}

std::string kernelskill::rooflineFigure(const json::Object &report) {
  const json::Object *roofline = report.getObject("roofline");
  const json::Array *dispatches =
      roofline ? roofline->getArray("dispatches") : nullptr;
  double bytesRate = number(roofline, "bytes_per_second");
  double flopsRate = number(roofline, "flops_per_second");
  if (!dispatches || bytesRate <= 0 || flopsRate <= 0)
    return "";
  struct Point {
    double intensity, rate;
    std::string title;
  };
  std::vector<Point> points;
  Range intensities, rates;
  intensities.add(flopsRate / bytesRate);
  rates.add(flopsRate);
  for (const json::Value &value : *dispatches) {
    const json::Object *dispatch = value.getAsObject();
    double flops = number(dispatch, "flops");
    double bytes = number(dispatch, "min_bytes");
    double seconds = number(dispatch, "time_us") / 1e6;
    double instances = number(dispatch, "instances");
    if (flops <= 0 || bytes <= 0 || seconds <= 0)
      continue;
    points.push_back({flops / bytes, flops * instances / seconds,
                      (dispatch->getString("name").value_or("") + " (" +
                       dispatch->getString("kind").value_or("") +
                       "): " + timeText(seconds * 1e3) + " of at least " +
                       timeText(number(dispatch, "bound_us") / 1e3))
                          .str()});
    intensities.add(points.back().intensity);
    rates.add(points.back().rate);
  }
  if (points.empty())
    return "";
  Scale x{intensities.low / 3, intensities.high * 3, left, width - right, true};
  Scale y{std::min(rates.low, x.low * bytesRate) / 1.5, rates.high * 2,
          height - bottom, top, true};
  std::string body;
  for (double tick : ticks(y.low, y.high)) {
    body += line("grid", left, y(tick), width - right, y(tick));
    body += text(left - 6, y(tick) + 4, "end",
                 tick < 1e12 ? shortNumber(tick / 1e9) + " Gflop/s"
                             : shortNumber(tick / 1e12) + " Tflop/s");
  }
  for (double tick : ticks(x.low, x.high))
    body += text(x(tick), height - bottom + 18, "middle", shortNumber(tick));
  body += text((left + width) / 2, height - 6, "middle",
               "flops a byte that must be moved");
  double ridge = flopsRate / bytesRate;
  body += line("bound", x(x.low), y(x.low * bytesRate), x(ridge), y(flopsRate));
  body += line("bound", x(ridge), y(flopsRate), x(x.high), y(flopsRate));
  for (const Point &point : points)
    body += dot("right", x(point.intensity), y(point.rate), point.title);
  return figure("roofline", body);
}
