// Which knob settings of a skill to try, and in which order.
#ifndef KERNELSKILL_SKILLS_KNOBSEARCH_H
#define KERNELSKILL_SKILLS_KNOBSEARCH_H

#include "KernelSkill/Skills/Recipe.h"
#include "KernelSkill/Skills/SkillLibrary.h"

namespace kernelskill {

/// At most this many settings are listed for one edit.
inline constexpr size_t kMaxTrials = 40;

/// Settings of all knobs: `from` first (knobs that it lacks get their first
/// option), then those that differ from it in one knob, in the order of knobs
/// and options, then in two, and so on.
std::vector<KnobAssignment> knobSettings(const std::vector<Knob> &knobs,
                                         const KnobAssignment &from);

/// Those that differ least from `from` first; the order of equals stays.
void sortByDistance(std::vector<KnobAssignment> &settings,
                    const KnobAssignment &from);

} // namespace kernelskill

#endif // KERNELSKILL_SKILLS_KNOBSEARCH_H
