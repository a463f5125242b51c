// .npy files: round trip, and one clear error for each way to be wrong.
#include "../../lib/Driver/Npy.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace kernelskill;

namespace {
class NpyTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createTemporaryFile("array", "npy", path));
  }
  void TearDown() override { sys::fs::remove(path); }

  void write(const NpyArray &array) {
    Error error = writeNpy(path, array);
    ASSERT_FALSE(bool(error)) << toString(std::move(error));
  }
  /// Rewrites the file with `from` replaced by `to` (of the same length).
  void patch(StringRef from, StringRef to) {
    std::string text = (*MemoryBuffer::getFile(path))->getBuffer().str();
    size_t at = text.find(from.str());
    ASSERT_NE(at, std::string::npos);
    text.replace(at, from.size(), to.str());
    std::error_code error;
    raw_fd_ostream(path, error) << text;
  }
  std::string readError() {
    auto array = readNpy(path);
    return array ? "" : toString(array.takeError());
  }
  void expectError(StringRef part) {
    std::string message = readError();
    EXPECT_TRUE(StringRef(message).contains(part)) << message;
  }

  SmallString<128> path;
  NpyArray sample{"<f4", {2, 3}, std::string(24, 'a')};
};
} // namespace

TEST_F(NpyTest, comesBackAsWritten) {
  for (std::vector<int64_t> shape :
       {std::vector<int64_t>{}, {6}, {2, 3}, {0, 7}}) {
    NpyArray array{"<f4", shape, ""};
    int64_t count = 1;
    for (int64_t extent : shape)
      count *= extent;
    array.data.assign(4 * count, 'x');
    write(array);
    auto read = readNpy(path);
    ASSERT_TRUE(bool(read)) << toString(read.takeError());
    EXPECT_EQ(read->shape, shape);
    EXPECT_EQ(read->data, array.data);
    EXPECT_EQ(read->descriptor, "<f4");
  }
}

TEST_F(NpyTest, rejectsWhatIsNoNpy) {
  std::error_code error;
  raw_fd_ostream(path, error) << "not an array";
  expectError("is no .npy file");
}

TEST_F(NpyTest, rejectsACutFile) {
  sample.data.pop_back();
  write(sample);
  expectError("23 bytes of data where its header says 24");
}

TEST_F(NpyTest, rejectsFortranOrder) {
  write(sample);
  patch("False", "True ");
  expectError("Fortran order");
}

TEST_F(NpyTest, rejectsBigEndian) {
  write(sample);
  patch("<f4", ">f4");
  expectError("big-endian");
}

TEST_F(NpyTest, rejectsDamagedShape) {
  write(sample);
  patch("(2,3)", "(2;3)");
  expectError("shape is damaged");
  write(sample);
  patch("(2,3)", "(-23)");
  expectError("shape is damaged");
}

TEST_F(NpyTest, rejectsUnknownVersion) {
  write(sample);
  patch(StringRef("NUMPY\1", 6), StringRef("NUMPY\7", 6));
  expectError("version 7");
}

TEST_F(NpyTest, saysWhatDoesNotFit) {
  BufferRecord buffer;
  buffer.name = "x";
  buffer.type = ElementType::F32;
  buffer.shape = {3, 2};
  std::string message = toString(checkNpyFits(sample, buffer, "f.npy"));
  EXPECT_TRUE(StringRef(message).contains("has shape (2,3)")) << message;
  EXPECT_TRUE(StringRef(message).contains("shape (3,2)")) << message;
  buffer.type = ElementType::F64;
  message = toString(checkNpyFits(sample, buffer, "f.npy"));
  EXPECT_TRUE(StringRef(message).contains("'<f8'")) << message;
}
