// `help`: the commands, or one command with its options.
#include "Commands.h"
#include "KernelSkill/Analysis/Chip.h"
#include "KernelSkill/Verify/Numerics.h"

using namespace llvm;
using namespace kernelskill;

void kernelskill::printOverview(raw_ostream &os) {
  os << "kernelskill makes GPU kernels fast and proves them right.\n\n"
        "usage: kernelskill COMMAND [OPTIONS]\n\n";
  for (const Command &command : allCommands())
    if (!command.hidden)
      os << "  " << left_justify(command.name, 10) << command.summary << "\n";
  os << "\nIN is a payload: a .mlir of linalg on tensors or of gpu.funcs, or a "
        ".py with a\nPyTorch module. 'kernelskill help COMMAND' lists the "
        "options, 'kernelskill help\nchips' the chips and 'kernelskill help "
        "numerics' the numerics classes.\n";
}

static std::string usageOf(const OptionSpec &option) {
  std::string text = option.name.str();
  if (!option.value.empty())
    text += (" " + option.value).str();
  if (option.list)
    text += " …";
  return text;
}

void kernelskill::printHelp(const Command &command, raw_ostream &os) {
  os << "kernelskill " << command.name << ": " << command.summary
     << "\n\nusage: kernelskill " << command.name;
  if (!command.operand.empty())
    os << (command.operandNeeded ? " " : " [") << command.operand
       << (command.operandNeeded ? "" : "]");
  os << " [OPTIONS]\n\n";
  if (!command.details.empty())
    os << command.details << "\n\n";
  for (const OptionSpec &option : command.options)
    os << "  " << left_justify(usageOf(option), 26) << option.help << "\n";
}

static json::Object describe(const Command &command) {
  json::Array options;
  for (const OptionSpec &option : command.options)
    options.push_back(json::Object{{"name", option.name},
                                   {"value", option.value},
                                   {"help", option.help},
                                   {"list", option.list}});
  return json::Object{{"name", command.name},
                      {"operand", command.operand},
                      {"summary", command.summary},
                      {"options", std::move(options)}};
}

static ExitCode helpChips(bool json) {
  json::Array array;
  for (const Chip &chip : knownChips()) {
    if (json)
      array.push_back(
          json::Object{{"name", chip.name}, {"product", chip.product}});
    else
      outs() << left_justify(chip.name, 10) << chip.product << "\n";
  }
  if (json)
    printJson(json::Object{{"chips", std::move(array)}});
  return ExitCode::Success;
}

static ExitCode helpNumerics(bool json) {
  json::Array array;
  for (const NumericsClass &known : knownNumerics()) {
    if (json)
      array.push_back(
          json::Object{{"name", known.name}, {"meaning", known.meaning}});
    else
      outs() << left_justify(known.name, 10) << known.meaning << "\n";
  }
  if (json)
    printJson(json::Object{{"numerics", std::move(array)}});
  return ExitCode::Success;
}

Expected<ExitCode> kernelskill::runHelp(const Options &options) {
  if (options.operand == "chips")
    return helpChips(options.json());
  if (options.operand == "numerics")
    return helpNumerics(options.json());
  if (!options.operand.empty()) {
    Expected<const Command *> command = findCommand(options.operand);
    if (!command)
      return command.takeError();
    if (options.json())
      printJson(describe(**command));
    else
      printHelp(**command, outs());
    return ExitCode::Success;
  }
  if (!options.json()) {
    printOverview(outs());
    return ExitCode::Success;
  }
  json::Array all;
  for (const Command &command : allCommands())
    if (!command.hidden)
      all.push_back(describe(command));
  printJson(json::Object{{"commands", std::move(all)}});
  return ExitCode::Success;
}
