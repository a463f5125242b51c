// Temporaries share memory only where they are not alive together.
#include "KernelSkill/Lowering/ShareTemporaries.h"

#include <gtest/gtest.h>

using namespace kernelskill;

namespace {

BufferRecord buffer(BufferKind kind, int64_t bytes) {
  BufferRecord record;
  record.kind = kind;
  record.name = "b";
  record.type = ElementType::I8;
  record.shape = {bytes};
  return record;
}

StepRecord launch(std::initializer_list<int32_t> buffers) {
  StepRecord step;
  for (int32_t buffer : buffers) {
    LaunchArgument argument;
    argument.buffer = buffer;
    step.arguments.push_back(argument);
  }
  return step;
}

// x -> t1 -> t2 -> t3 -> y: t1 is dead when t3 is made.
TEST(ShareTemporaries, ReusesWhatIsDead) {
  Program program;
  program.buffers = {
      buffer(BufferKind::Argument, 16), buffer(BufferKind::Temporary, 1000),
      buffer(BufferKind::Temporary, 300), buffer(BufferKind::Temporary, 1000),
      buffer(BufferKind::Result, 16)};
  program.steps = {launch({0, 1}), launch({1, 2}), launch({2, 3}),
                   launch({3, 4})};
  program.steps[2].arguments[0].byteOffset = 100;
  shareTemporaries(program);
  ASSERT_EQ(program.buffers.size(), 3u);
  EXPECT_EQ(program.buffers[0].kind, BufferKind::Argument);
  EXPECT_EQ(program.buffers[1].kind, BufferKind::Result);
  EXPECT_EQ(program.buffers[2].kind, BufferKind::Temporary);
  EXPECT_EQ(program.buffers[2].bytes(), 1024u + 512u);
  auto offset = [&](size_t step, size_t argument) {
    return program.steps[step].arguments[argument].byteOffset;
  };
  EXPECT_EQ(offset(0, 1), 0u);
  EXPECT_EQ(offset(1, 0), 0u);
  EXPECT_EQ(offset(1, 1), 1024u);
  EXPECT_EQ(offset(2, 0), 1124u); // a view's own offset is kept
  EXPECT_EQ(offset(2, 1), 0u);
  EXPECT_EQ(program.steps[0].arguments[0].buffer, 0);
  EXPECT_EQ(program.steps[3].arguments[1].buffer, 1);
}

// A copy keeps both of its buffers alive; so does a use long after.
TEST(ShareTemporaries, KeepsWhatIsReadLater) {
  Program program;
  program.buffers = {buffer(BufferKind::Temporary, 256),
                     buffer(BufferKind::Temporary, 256),
                     buffer(BufferKind::Temporary, 256)};
  StepRecord copy;
  copy.kind = StepRecord::Kind::Copy;
  copy.source.buffer = 0;
  copy.destination.buffer = 1;
  copy.bytes = 256;
  program.steps = {launch({0}), copy, launch({1, 2}), launch({0})};
  shareTemporaries(program);
  ASSERT_EQ(program.buffers.size(), 1u);
  EXPECT_EQ(program.buffers[0].bytes(), 3u * 256u);
  EXPECT_NE(program.steps[1].source.byteOffset,
            program.steps[1].destination.byteOffset);
}

} // namespace
