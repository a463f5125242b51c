// Reads and writes .npy; see the header.
#include "Npy.h"
#include "OutputFile.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace kernelskill;

static constexpr StringLiteral magic("\x93NUMPY");

StringRef kernelskill::npyDescriptor(ElementType type) {
  switch (type) {
  case ElementType::I1:
    return "|b1";
  case ElementType::I8:
    return "|i1";
  case ElementType::I16:
    return "<i2";
  case ElementType::I32:
    return "<i4";
  case ElementType::I64:
    return "<i8";
  case ElementType::F16:
    return "<f2";
  case ElementType::BF16:
    return "<u2";
  case ElementType::F32:
    return "<f4";
  case ElementType::F64:
    return "<f8";
  }
  llvm_unreachable("all types are handled");
}

static std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text = "(";
  for (int64_t extent : shape)
    text += std::to_string(extent) + ",";
  if (shape.size() > 1)
    text.pop_back();
  return text + ")";
}

namespace {
/// Reads the header, a Python dictionary literal of three known keys.
class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : rest(text) {}

  /// "" on success, else what is wrong.
  std::string parse(NpyArray &array, bool &fortran) {
    bool seen[3] = {false, false, false};
    if (!eat("{"))
      return "header is no dictionary";
    while (!eat("}")) {
      std::string key;
      if (!string(key) || !eat(":"))
        return "header is damaged";
      if (key == "descr") {
        if (!string(array.descriptor))
          return "is an array of records, not of numbers";
        seen[0] = true;
      } else if (key == "fortran_order") {
        fortran = eat("True");
        if (!fortran && !eat("False"))
          return "header is damaged";
        seen[1] = true;
      } else if (key == "shape") {
        if (!shape(array.shape))
          return "shape is damaged";
        seen[2] = true;
      } else {
        return "header has the unknown key '" + key + "'";
      }
      eat(",");
    }
    return seen[0] && seen[1] && seen[2] ? "" : "header is incomplete";
  }

private:
  bool eat(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }
  bool string(std::string &value) {
    rest = rest.ltrim();
    if (rest.empty() || (rest[0] != '\'' && rest[0] != '"'))
      return false;
    size_t end = rest.find(rest[0], 1);
    if (end == StringRef::npos)
      return false;
    value = rest.slice(1, end).str();
    rest = rest.drop_front(end + 1);
    return true;
  }
  bool shape(std::vector<int64_t> &extents) {
    if (!eat("("))
      return false;
    while (!eat(")")) {
      rest = rest.ltrim();
      int64_t extent;
      if (rest.consumeInteger(10, extent) || extent < 0)
        return false;
      extents.push_back(extent);
      if (!eat(",") && !rest.ltrim().starts_with(")"))
        return false;
    }
    return true;
  }
  StringRef rest;
};
} // namespace

Expected<NpyArray> kernelskill::readNpy(StringRef path) {
  auto fail = [&](const Twine &message) {
    return createStringError(path + ": " + message +
                             "; write it with numpy.save");
  };
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFile(path, false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return createStringError(buffer.getError(),
                             path + ": " + buffer.getError().message());
  StringRef bytes = (*buffer)->getBuffer();
  if (!bytes.starts_with(magic))
    return fail("is no .npy file");
  if (bytes.size() < 12)
    return fail("is cut");
  unsigned version = uint8_t(bytes[6]);
  if (version < 1 || version > 3)
    return fail("has .npy version " + Twine(version) + ", known are 1 to 3");
  unsigned lengthBytes = version == 1 ? 2 : 4;
  uint64_t length = version == 1 ? support::endian::read16le(bytes.data() + 8)
                                 : support::endian::read32le(bytes.data() + 8);
  uint64_t dataStart = 8 + lengthBytes + length;
  if (bytes.size() < dataStart)
    return fail("is cut in its header");
  NpyArray array;
  bool fortran = false;
  std::string problem =
      HeaderParser(bytes.substr(8 + lengthBytes, length)).parse(array, fortran);
  if (!problem.empty())
    return fail(problem);
  if (fortran && array.shape.size() > 1)
    return fail("is in Fortran order, use numpy.ascontiguousarray");
  StringRef type = array.descriptor;
  if (type.starts_with(">"))
    return fail("is big-endian ('" + type + "'), little-endian is needed");
  unsigned elementBytes = 0;
  if (type.size() < 3 || type.drop_front(2).getAsInteger(10, elementBytes) ||
      elementBytes == 0 || elementBytes > 16)
    return fail("has the unknown type '" + type + "'");
  int64_t expected = elementBytes;
  for (int64_t extent : array.shape)
    if (MulOverflow(expected, extent, expected))
      return fail("has the impossible shape " + shapeText(array.shape));
  if (bytes.size() - dataStart != uint64_t(expected))
    return fail("has " + Twine(bytes.size() - dataStart) +
                " bytes of data where its header says " + Twine(expected));
  array.data = bytes.drop_front(dataStart).str();
  return array;
}

Error kernelskill::writeNpy(StringRef path, const NpyArray &array) {
  std::string header =
      formatv("{{'descr': '{0}', 'fortran_order': False, 'shape': {1}, }",
              array.descriptor, shapeText(array.shape));
  // The data start at a multiple of 64 bytes.
  header.resize(alignTo(header.size() + 11, 64) - 11, ' ');
  header += '\n';
  char start[10];
  memcpy(start, magic.data(), 6);
  start[6] = 1;
  start[7] = 0;
  support::endian::write16le(start + 8, header.size());
  return writeFile(path, (StringRef(start, 10) + header + array.data).str());
}

Error kernelskill::checkNpyFits(const NpyArray &array,
                                const BufferRecord &buffer, StringRef path) {
  StringRef expected = npyDescriptor(buffer.type);
  if (array.descriptor != expected)
    return createStringError(
        formatv("{0}: has type '{1}', argument '{2}' is {3} ('{4}'); convert "
                "it with numpy.astype",
                path, array.descriptor, buffer.name, elementName(buffer.type),
                expected));
  if (array.shape != buffer.shape)
    return createStringError(formatv("{0}: has shape {1}, argument '{2}' has "
                                     "shape {3}",
                                     path, shapeText(array.shape), buffer.name,
                                     shapeText(buffer.shape)));
  return Error::success();
}
