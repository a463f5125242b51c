// Program files whose plan is damaged but whose checksum is right: each is an
// error, or runs on the CPU device to an end or a fault, never to a crash.
#include "CpuKernels.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace kernelskill;

namespace {
constexpr size_t header = 20; // magic, version, length of the plan

/// A file with another plan, lengths and checksum to fit.
std::string withPlan(StringRef bytes, StringRef plan) {
  size_t old = support::endian::read64le(bytes.data() + 12);
  std::string file = (bytes.take_front(header) + plan +
                      bytes.drop_front(header + old).drop_back(8))
                         .str();
  support::endian::write64le(file.data() + 12, plan.size());
  char checksum[8];
  support::endian::write64le(checksum, xxh3_64bits(file));
  return file.append(checksum, 8);
}

StringRef planOf(StringRef bytes) {
  return bytes.substr(header, support::endian::read64le(bytes.data() + 12));
}

/// Where numbers stand in a plan, not in strings.
std::vector<std::pair<size_t, size_t>> numbersIn(StringRef plan) {
  std::vector<std::pair<size_t, size_t>> places;
  bool inString = false;
  for (size_t i = 0; i < plan.size(); ++i) {
    inString ^= plan[i] == '"';
    if (inString || !isDigit(plan[i]))
      continue;
    size_t end = plan.find_first_not_of("0123456789.eE+-", i);
    places.push_back({i, end});
    i = end;
  }
  return places;
}

/// Runs it where its buffers are small.
void runIfSmall(const Program &program) {
  uint64_t bytes = 0;
  for (const BufferRecord &buffer : program.buffers)
    bytes += std::min<uint64_t>(buffer.bytes(), 1 << 24);
  if (bytes >= 1 << 24)
    return;
  std::unique_ptr<Device> device = cantFail(openDevice("cpu"));
  device->setTimeLimit(0.2);
  auto loaded = device->load(program);
  if (!loaded)
    return consumeError(loaded.takeError());
  std::vector<DeviceAddress> arguments, results;
  for (const BufferRecord &buffer : program.buffers)
    if (buffer.kind == BufferKind::Argument ||
        buffer.kind == BufferKind::Result)
      (buffer.kind == BufferKind::Argument ? arguments : results)
          .push_back(cantFail(device->allocate(buffer.bytes())));
  consumeError((*loaded)->run(arguments, results));
}

TEST(ProgramMutation, OtherNumbersNeverCrash) {
  std::string bytes = serializeProgram(kernelProgram(
      vectorAdd, {64, 64, 64}, {2, 1, 1}, {32, 1, 1}, 0, /*blocking=*/true));
  StringRef plan = planOf(bytes);
  std::vector<std::pair<size_t, size_t>> places = numbersIn(plan);
  ASSERT_GT(places.size(), 20u);
  unsigned taken = 0;
  for (auto [begin, end] : places)
    for (StringRef number : {"0", "1", "-1", "2", "63", "1025", "65536",
                             "2147483647", "4294967295", "9223372036854775807",
                             "18446744073709551615", "1e300"}) {
      std::string file = withPlan(
          bytes,
          (plan.take_front(begin) + number + plan.drop_front(end)).str());
      Expected<Program> program = parseProgram(file, "p");
      if (!program) {
        consumeError(program.takeError());
        continue;
      }
      ++taken;
      runIfSmall(*program);
    }
  EXPECT_GT(taken, 0u);
}

TEST(ProgramMutation, MovedBytesNeverCrash) {
  std::string bytes = serializeProgram(
      kernelProgram(vectorAdd, {64, 64, 64}, {2, 1, 1}, {32, 1, 1}));
  StringRef plan = planOf(bytes);
  std::mt19937 random(1);
  for (int time = 0; time < 2000; ++time) {
    std::string changed = plan.str();
    for (unsigned change = 0; change < 1 + random() % 3; ++change) {
      size_t at = random() % changed.size(), from = random() % changed.size();
      changed.replace(at, random() % 9, changed.substr(from, random() % 9));
    }
    Expected<Program> program = parseProgram(withPlan(bytes, changed), "p");
    if (!program)
      consumeError(program.takeError());
    else
      runIfSmall(*program);
  }
}

TEST(ProgramMutation, DeepNestingIsAnError) {
  std::string bytes = serializeProgram(
      kernelProgram(vectorAdd, {64, 64, 64}, {2, 1, 1}, {32, 1, 1}));
  for (StringRef bracket : {"[", "{\"a\":"}) {
    std::string plan;
    for (int level = 0; level < 1000000; ++level)
      plan += bracket;
    Expected<Program> program = parseProgram(withPlan(bytes, plan), "p");
    ASSERT_FALSE(bool(program));
    EXPECT_NE(toString(program.takeError()).find("nested too deeply"),
              std::string::npos);
  }
}

} // namespace
