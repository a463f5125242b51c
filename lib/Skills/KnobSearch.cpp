// Orders knob settings by how far they are from a given one.
#include "KnobSearch.h"

using namespace kernelskill;

/// Appends all settings that differ from `setting` in exactly `changes` of the
/// knobs from `first` on.
static void vary(const std::vector<Knob> &knobs, size_t first, unsigned changes,
                 KnobAssignment &setting,
                 std::vector<KnobAssignment> &settings) {
  if (settings.size() >= kMaxTrials)
    return;
  if (changes == 0) {
    settings.push_back(setting);
    return;
  }
  for (size_t i = first; i < knobs.size(); ++i) {
    std::string original = setting[knobs[i].name];
    for (const std::string &option : knobs[i].options) {
      if (option == original)
        continue;
      setting[knobs[i].name] = option;
      vary(knobs, i + 1, changes - 1, setting, settings);
    }
    setting[knobs[i].name] = original;
  }
}

std::vector<KnobAssignment>
kernelskill::knobSettings(const std::vector<Knob> &knobs,
                          const KnobAssignment &from) {
  KnobAssignment setting;
  for (const Knob &knob : knobs) {
    auto given = from.find(knob.name);
    bool isOption =
        given != from.end() && llvm::is_contained(knob.options, given->second);
    setting[knob.name] = isOption ? given->second : knob.options.front();
  }
  std::vector<KnobAssignment> settings;
  for (unsigned changes = 0; changes <= knobs.size(); ++changes)
    vary(knobs, 0, changes, setting, settings);
  return settings;
}

void kernelskill::sortByDistance(std::vector<KnobAssignment> &settings,
                                 const KnobAssignment &from) {
  auto distance = [&](const KnobAssignment &setting) {
    return llvm::count_if(setting, [&](const auto &knob) {
      auto other = from.find(knob.first);
      return other == from.end() || other->second != knob.second;
    });
  };
  // Settings that are equally far keep their order.
  std::map<size_t, std::vector<KnobAssignment>> byDistance;
  for (KnobAssignment &setting : settings)
    byDistance[distance(setting)].push_back(std::move(setting));
  settings.clear();
  for (auto &[changes, equals] : byDistance)
    llvm::move(equals, std::back_inserter(settings));
}
