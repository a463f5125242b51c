// Memory of a program's temporaries, shared by those that are not alive at the
// same time.
#ifndef KERNELSKILL_LOWERING_SHARETEMPORARIES_H
#define KERNELSKILL_LOWERING_SHARETEMPORARIES_H

#include "KernelSkill/Runtime/Program.h"

namespace kernelskill {

/// Replaces all temporaries by one buffer of bytes in which those lie, each at
/// a multiple of 256; two share bytes only where one's last step comes before
/// the other's first. A device then sees one buffer: it can't tell an access
/// past the end of a temporary, so this is for programs that need no such
/// check.
void shareTemporaries(Program &program);

} // namespace kernelskill

#endif // KERNELSKILL_LOWERING_SHARETEMPORARIES_H
