// The program file: round trips, and every kind of damage is an error.
#include "KernelSkill/Runtime/Program.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace llvm;
using namespace kernelskill;

namespace {
std::string message(Error error) { return toString(std::move(error)); }

Program sampleProgram() {
  Program program;
  program.producer = "kernelskill test";
  program.payloadHash = "0123456789abcdef";
  program.numerics = "fp32";
  BufferRecord a;
  a.name = "a";
  a.kind = BufferKind::Argument;
  a.role = "input";
  a.shape = {4, 8};
  a.draw = {"uniform", 0.1, -2.5};
  BufferRecord c;
  c.name = "c";
  c.kind = BufferKind::Constant;
  c.type = ElementType::I8;
  c.shape = {3};
  c.data = std::string("\0\xff\n", 3);
  BufferRecord r;
  r.name = "r";
  r.kind = BufferKind::Result;
  r.type = ElementType::F64;
  r.shape = {};
  BufferRecord t;
  t.name = "t";
  t.type = ElementType::BF16;
  t.shape = {2, 0, 5};
  program.buffers = {a, c, r, t};
  KernelRecord kernel;
  kernel.name = "sum";
  kernel.staticShared = 1024;
  kernel.registers = 32;
  kernel.blocking = true;
  kernel.cpuOps = {"x.mlir:3:4: memref.load", "x.mlir:4:4: gpu.barrier"};
  program.kernels = {kernel};
  StepRecord launch;
  launch.grid = {7, 2, 1};
  launch.block = {32, 4, 1};
  launch.dynamicShared = 16;
  LaunchArgument address, scalar;
  address.buffer = 0;
  address.byteOffset = 64;
  scalar.bits = 0xfedcba9876543210;
  launch.arguments = {address, scalar};
  StepRecord copy;
  copy.kind = StepRecord::Kind::Copy;
  copy.source = address;
  copy.destination.buffer = 2;
  copy.bytes = 8;
  program.steps = {launch, copy};
  program.images = {{ImageRecord::Kind::Cubin, "sm_90a", std::string(5, '\0')},
                    {ImageRecord::Kind::Ptx, "sm_90a", ".version 8.0\n"}};
  return program;
}

/// Writes the checksum anew, as a wrong producer would.
std::string resealed(std::string bytes) {
  char *end = bytes.data() + bytes.size() - 8;
  support::endian::write64le(end, xxh3_64bits(StringRef(bytes).drop_back(8)));
  return bytes;
}

TEST(Program, RoundTrip) {
  Program program = sampleProgram();
  std::string bytes = serializeProgram(program);
  Expected<Program> parsed = parseProgram(bytes, "p");
  ASSERT_TRUE(bool(parsed)) << message(parsed.takeError());
  EXPECT_EQ(serializeProgram(*parsed), bytes);
  ASSERT_EQ(parsed->buffers.size(), 4u);
  EXPECT_EQ(parsed->buffers[0].shape, (std::vector<int64_t>{4, 8}));
  EXPECT_EQ(parsed->buffers[0].draw.scale, 0.1);
  EXPECT_EQ(parsed->buffers[1].data, program.buffers[1].data);
  EXPECT_EQ(parsed->buffers[2].bytes(), 8u);
  EXPECT_EQ(parsed->buffers[3].bytes(), 0u);
  EXPECT_EQ(parsed->steps[0].arguments[1].bits, 0xfedcba9876543210u);
  EXPECT_EQ(parsed->steps[1].bytes, 8u);
  EXPECT_EQ(parsed->kernels[0].cpuOps, program.kernels[0].cpuOps);
  EXPECT_EQ(parsed->images[0].bytes, program.images[0].bytes);
  EXPECT_EQ(parsed->image(ImageRecord::Kind::Ptx)->bytes, ".version 8.0\n");
  EXPECT_EQ(parsed->image(ImageRecord::Kind::CpuObject), nullptr);
  EXPECT_EQ(parsed->buffersOf(BufferKind::Result), std::vector<uint32_t>{2});
}

TEST(Program, CutFilesAreErrors) {
  std::string bytes = serializeProgram(sampleProgram());
  for (size_t size = 0; size < bytes.size(); size += 7) {
    Expected<Program> parsed =
        parseProgram(StringRef(bytes).take_front(size), "out/p.ksp");
    ASSERT_FALSE(bool(parsed)) << size;
    std::string text = message(parsed.takeError());
    EXPECT_NE(text.find("'out/p.ksp'"), std::string::npos) << text;
    EXPECT_NE(text.find("kernelskill build"), std::string::npos) << text;
  }
}

TEST(Program, FlippedBytesAreErrors) {
  std::string bytes = serializeProgram(sampleProgram());
  for (size_t position = 0; position < bytes.size(); ++position) {
    std::string damaged = bytes;
    damaged[position] ^= 1 << position % 8;
    Expected<Program> parsed = parseProgram(damaged, "p");
    ASSERT_FALSE(bool(parsed)) << position;
    consumeError(parsed.takeError());
  }
}

// With a right checksum it is the plan's reader and the verifier that answer.
TEST(Program, FlippedAndResealedBytesNeverCrash) {
  std::string bytes = serializeProgram(sampleProgram());
  unsigned refused = 0;
  for (size_t position = 0; position + 8 < bytes.size(); ++position) {
    std::string damaged = bytes;
    damaged[position] ^= 1 << position % 8;
    Expected<Program> parsed = parseProgram(resealed(damaged), "p");
    if (parsed)
      continue;
    ++refused;
    consumeError(parsed.takeError());
  }
  EXPECT_GT(refused, bytes.size() / 2);
}

TEST(Program, OtherFilesAndVersionsAreNamed) {
  auto refusal = [](StringRef bytes) {
    Expected<Program> parsed = parseProgram(bytes, "p");
    return parsed ? std::string() : message(parsed.takeError());
  };
  EXPECT_NE(refusal("#!/bin/sh\nexit 0\n this is no program")
                .find("is not a KernelSkill program"),
            std::string::npos);
  std::string bytes = serializeProgram(sampleProgram());
  bytes[8] = 0;
  EXPECT_NE(refusal(resealed(bytes))
                .find("has program version 0, this build reads version 1"),
            std::string::npos);
  bytes = serializeProgram(sampleProgram());
  bytes[bytes.size() - 20] ^= 1;
  EXPECT_NE(refusal(bytes).find("checksum does not match"), std::string::npos);
}

TEST(Program, VerifierNamesWhatIsWrong) {
  auto expect = [](StringRef text, function_ref<void(Program &)> edit) {
    Program program = sampleProgram();
    edit(program);
    std::string found = message(verifyProgram(program));
    EXPECT_NE(found.find(text.str()), std::string::npos) << found;
    Expected<Program> parsed = parseProgram(serializeProgram(program), "p");
    EXPECT_FALSE(bool(parsed)) << text.str();
    consumeError(parsed.takeError());
  };
  EXPECT_EQ(message(verifyProgram(sampleProgram())), "");
  expect("launches kernel 3 of 1", [](Program &p) { p.steps[0].kernel = 3; });
  expect("names buffer 9 of 4",
         [](Program &p) { p.steps[0].arguments[0].buffer = 9; });
  expect("names buffer -2",
         [](Program &p) { p.steps[0].arguments[0].buffer = -2; });
  expect("of buffer 0, which has 128",
         [](Program &p) { p.steps[0].arguments[0].byteOffset = 129; });
  expect("scalar of 3 bytes",
         [](Program &p) { p.steps[0].arguments[1].size = 3; });
  expect("of buffer 2, which has 8", [](Program &p) { p.steps[1].bytes = 9; });
  expect("of buffer 2, which has 8",
         [](Program &p) { p.steps[1].destination.byteOffset = uint64_t(-4); });
  expect("grid extent 0", [](Program &p) { p.steps[0].grid[0] = 0; });
  expect("grid extent 65536", [](Program &p) { p.steps[0].grid[1] = 65536; });
  expect("block extent 65", [](Program &p) { p.steps[0].block[2] = 65; });
  expect("1056 threads a block",
         [](Program &p) { p.steps[0].block = {33, 32, 1}; });
  expect("bytes of shared memory",
         [](Program &p) { p.steps[0].dynamicShared = 227 * 1024; });
  expect("impossible extent", [](Program &p) {
    p.buffers[0].shape = {int64_t(1) << 40, int64_t(1) << 40};
  });
  expect("impossible extent -1", [](Program &p) { p.buffers[0].shape = {-1}; });
  expect("but holds 3", [](Program &p) { p.buffers[1].shape = {4}; });
  expect("expected input, parameter, buffer or random",
         [](Program &p) { p.buffers[0].role = "weight"; });
  expect("expected buffer or none",
         [](Program &p) { p.buffers[2].role = "input"; });
  expect("unknown draw", [](Program &p) { p.buffers[0].draw.draw = "gamma"; });
  expect("used twice", [](Program &p) { p.kernels.push_back(p.kernels[0]); });
}

TEST(Program, ElementTypes) {
  EXPECT_EQ(elementName(ElementType::BF16), "bf16");
  EXPECT_EQ(elementBytes(ElementType::F64), 8u);
  EXPECT_EQ(parseElementType("i1"), ElementType::I1);
  EXPECT_EQ(parseElementType("f8"), std::nullopt);
}

TEST(Program, WriteIsAtomicAndReadNamesTheFile) {
  SmallString<128> folder;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("program", folder));
  SmallString<128> path(folder);
  sys::path::append(path, "p.ksp");
  EXPECT_EQ(message(writeProgram(sampleProgram(), path)), "");
  Expected<Program> back = readProgram(path);
  ASSERT_TRUE(bool(back)) << message(back.takeError());
  EXPECT_EQ(serializeProgram(*back), serializeProgram(sampleProgram()));
  // Nothing but the program is left in the folder.
  std::error_code code;
  unsigned files = 0;
  for (sys::fs::directory_iterator it(folder, code), end; it != end && !code;
       it.increment(code))
    ++files;
  EXPECT_EQ(files, 1u);
  // An invalid program leaves the old file as it was.
  Program wrong = sampleProgram();
  wrong.steps[0].kernel = 5;
  EXPECT_NE(message(writeProgram(wrong, path)), "");
  back = readProgram(path);
  EXPECT_TRUE(bool(back));
  consumeError(back.takeError());

  SmallString<128> missing(folder);
  sys::path::append(missing, "no", "q.ksp");
  std::string text = message(writeProgram(sampleProgram(), missing));
  EXPECT_NE(text.find(missing.str().str()), std::string::npos) << text;
  Expected<Program> none = readProgram(missing);
  ASSERT_FALSE(bool(none));
  text = message(none.takeError());
  EXPECT_NE(text.find(missing.str().str()), std::string::npos) << text;
  sys::fs::remove_directories(folder);
}

#ifdef __linux__
TEST(Program, UnwritablePlacesAreErrors) {
  // A folder that takes no file, and a rename onto a folder.
  std::string text = message(writeProgram(sampleProgram(), "/dev/full/p"));
  EXPECT_NE(text.find("/dev/full/p"), std::string::npos) << text;
  SmallString<128> folder;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("program", folder));
  text = message(writeProgram(sampleProgram(), folder));
  EXPECT_NE(text.find(folder.str().str()), std::string::npos) << text;
  sys::fs::remove_directories(folder);
}
#endif
} // namespace
