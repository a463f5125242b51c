// Parses a command's arguments by its table.
#include "Options.h"

using namespace llvm;
using namespace kernelskill;

/// The name nearest to `given`, as ", did you mean 'x'?", or nothing.
template <typename Range>
static std::string suggest(StringRef given, const Range &known) {
  StringRef best;
  unsigned bestDistance = 3;
  for (const auto &entry : known) {
    unsigned distance = given.edit_distance(entry.name, true, bestDistance);
    if (distance < bestDistance) {
      best = entry.name;
      bestDistance = distance;
    }
  }
  return best.empty() ? "" : (", did you mean '" + best + "'?").str();
}

static Error usage(const Command &command, const Twine &message) {
  return makeError(ExitCode::Usage,
                   message + "; see 'kernelskill help " + command.name + "'");
}

Expected<const Command *> kernelskill::findCommand(StringRef name) {
  for (const Command &command : allCommands())
    if (command.name == name)
      return &command;
  return makeError(ExitCode::Usage,
                   "unknown command '" + name + "'" +
                       suggest(name, make_filter_range(allCommands(),
                                                       [](const Command &c) {
                                                         return !c.hidden;
                                                       })) +
                       "; see 'kernelskill help'");
}

Expected<Options> Options::parse(const Command &command,
                                 ArrayRef<std::string> arguments) {
  Options result;
  result.command = &command;
  bool operandGiven = false;
  while (!arguments.empty()) {
    StringRef argument = arguments.front();
    arguments = arguments.drop_front();
    if (!argument.starts_with("-") || argument == "-") {
      if (command.operand.empty())
        return usage(command, "'" + command.name +
                                  "' takes no operand, found '" + argument +
                                  "'");
      if (operandGiven)
        return usage(command, "'" + command.name + "' takes one operand (" +
                                  command.operand + "), found a second: '" +
                                  argument + "'");
      result.operand = argument.str();
      operandGiven = true;
      continue;
    }
    StringRef name, joined;
    std::tie(name, joined) = argument.split('=');
    const OptionSpec *spec = find_if(
        command.options, [&](const OptionSpec &o) { return o.name == name; });
    if (spec == command.options.end())
      return usage(command, "unknown option '" + name + "'" +
                                suggest(name, command.options));
    std::vector<std::string> &values = result.values[name.str()];
    if (!values.empty() && !spec->list)
      return usage(command, "option '" + name + "' was given twice");
    bool hasJoined = argument.contains('=');
    if (spec->value.empty()) {
      if (hasJoined)
        return usage(command, "option '" + name + "' takes no value");
      values.push_back("");
      continue;
    }
    if (hasJoined) {
      values.push_back(joined.str());
      continue;
    }
    do {
      if (arguments.empty() ||
          (arguments.front().size() > 1 && arguments.front()[0] == '-'))
        return usage(command, "option '" + name + "' needs a value (" +
                                  spec->value + ")");
      values.push_back(arguments.front());
      arguments = arguments.drop_front();
    } while (spec->list && operandGiven && !arguments.empty() &&
             arguments.front()[0] != '-');
  }
  if (command.operandNeeded && !operandGiven)
    return usage(command,
                 "'" + command.name + "' needs an operand: " + command.operand);
  return result;
}

std::string Options::get(StringRef name, StringRef otherwise) const {
  auto found = values.find(name.str());
  return found == values.end() ? otherwise.str() : found->second.back();
}

std::vector<std::string> Options::all(StringRef name) const {
  auto found = values.find(name.str());
  return found == values.end() ? std::vector<std::string>() : found->second;
}

Expected<unsigned> Options::number(StringRef name, unsigned otherwise,
                                   unsigned least) const {
  if (!has(name))
    return otherwise;
  unsigned value;
  if (StringRef(get(name)).getAsInteger(10, value) || value < least ||
      value > 1000000)
    return usage(*command, "option '" + name + "' needs a whole number from " +
                               Twine(least) + " to 1000000, found '" +
                               get(name) + "'");
  return value;
}

Expected<double> Options::seconds(StringRef name, double otherwise) const {
  if (!has(name))
    return otherwise;
  double value;
  if (StringRef(get(name)).getAsDouble(value) || !(value > 0) || value > 1e9)
    return usage(*command,
                 "option '" + name +
                     "' needs a number of seconds above zero, found '" +
                     get(name) + "'");
  return value;
}
