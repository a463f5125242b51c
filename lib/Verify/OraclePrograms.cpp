// Files of the judge's programs. See the header.
#include "KernelSkill/Verify/OraclePrograms.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace kernelskill;

namespace {
struct Entry {
  StringLiteral file;
  Program OraclePrograms::*program;
};
} // namespace

static constexpr Entry kEntries[] = {{"oracle.ksp", &OraclePrograms::oracle},
                                     {"plain.ksp", &OraclePrograms::plain},
                                     {"support.ksp", &OraclePrograms::support}};

static std::string pathOf(StringRef directory, StringRef file) {
  SmallString<128> path(directory);
  sys::path::append(path, file);
  return path.str().str();
}

Error kernelskill::writeOracle(const OraclePrograms &programs,
                               StringRef directory) {
  for (const Entry &entry : kEntries)
    if (Error error = writeProgram(programs.*entry.program,
                                   pathOf(directory, entry.file)))
      return error;
  return Error::success();
}

Expected<OraclePrograms> kernelskill::readOracle(StringRef directory) {
  OraclePrograms programs;
  for (const Entry &entry : kEntries) {
    Expected<Program> program = readProgram(pathOf(directory, entry.file));
    if (!program)
      return program.takeError();
    programs.*entry.program = std::move(*program);
  }
  // A program without results writes its arguments: a gpu.func payload, whose
  // oracle has no scales.
  programs.scaled = !programs.plain.buffersOf(BufferKind::Result).empty();
  return programs;
}

std::vector<uint32_t> kernelskill::outputsOf(const Program &program) {
  std::vector<uint32_t> outputs = program.buffersOf(BufferKind::Result);
  if (!outputs.empty())
    return outputs;
  for (uint32_t index : program.buffersOf(BufferKind::Argument))
    if (program.buffers[index].written)
      outputs.push_back(index);
  return outputs;
}
