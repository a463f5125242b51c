// A run as one HTML page that needs nothing else: times against rounds, the
// roofline, decisions with their reasons, verdicts, files.
#ifndef KERNELSKILL_LIB_DRIVER_HTMLREPORT_H
#define KERNELSKILL_LIB_DRIVER_HTMLREPORT_H

#include "llvm/Support/JSON.h"
#include <string>

namespace kernelskill {

/// The page for the object of report.json. A field that is not there leaves its
/// part out.
std::string htmlReport(const llvm::json::Object &report);

/// The two figures, as inline SVG; empty if there is nothing to plot.
std::string timeFigure(const llvm::json::Object &report);
std::string rooflineFigure(const llvm::json::Object &report);

/// Text with the characters that HTML gives a meaning replaced.
std::string htmlText(llvm::StringRef text);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_HTMLREPORT_H
