// Turns diagnostics into text; see the header.
#include "DiagnosticText.h"

using namespace llvm;
using namespace kernelskill;

std::string kernelskill::placeOf(mlir::Location location) {
  auto place = location->findInstanceOf<mlir::FileLineColLoc>();
  if (!place)
    return "";
  return formatv("{0}:{1}:{2}", place.getFilename().getValue(), place.getLine(),
                 place.getColumn());
}

/// The message without line ends; what an op prints after it is dropped.
static std::string oneLine(const mlir::Diagnostic &diagnostic) {
  std::string text = diagnostic.str();
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::string place = placeOf(diagnostic.getLocation());
  return place.empty() ? text : place + ": " + text;
}

DiagnosticText::DiagnosticText(mlir::MLIRContext &context)
    : handler(&context, [this](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
          return mlir::failure();
        if (!first.empty())
          return mlir::success();
        first = oneLine(diagnostic);
        for (mlir::Diagnostic &note : diagnostic.getNotes()) {
          std::string text = oneLine(note);
          if (text.size() < 300)
            first += " (note: " + text + ")";
        }
        return mlir::success();
      }) {}

std::string DiagnosticText::firstError(StringRef otherwise) const {
  return first.empty() ? otherwise.str() : first;
}
