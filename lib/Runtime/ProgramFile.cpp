// The program file: a header, the plan as JSON, the images, a checksum.
#include "KernelSkill/Runtime/JsonNesting.h"
#include "KernelSkill/Runtime/Program.h"

#include "llvm/Support/Base64.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace kernelskill;

namespace {
constexpr char magicBytes[8] = {'K', 'S', 'P', 'R', 'O', 'G', 0, 0};
constexpr StringRef magic(magicBytes, sizeof(magicBytes));
constexpr size_t headerBytes = 8 + sizeof(uint32_t) + sizeof(uint64_t);
constexpr size_t checksumBytes = sizeof(uint64_t);
constexpr StringLiteral advice("; rebuild it with 'kernelskill build'");

constexpr StringLiteral bufferKinds[] = {"argument", "result", "temporary",
                                         "constant"};
constexpr StringLiteral stepKinds[] = {"launch", "copy"};
constexpr StringLiteral imageKinds[] = {"cubin", "ptx", "cpu-object"};
} // namespace

// JSON's mapper finds the conversions below by the namespace of their types.
namespace kernelskill {
/// An image as the plan states it: the bytes follow the plan.
struct ImageEntry {
  ImageRecord::Kind kind = ImageRecord::Kind::Cubin;
  std::string chip;
  uint64_t bytes = 0;
};

struct Plan {
  Program program; // without the images
  std::vector<ImageEntry> images;
};
} // namespace kernelskill

//===-- Writing -----------------------------------------------------------===//

template <typename Enum, size_t count>
static StringRef nameOf(const StringLiteral (&names)[count], Enum value) {
  return names[static_cast<size_t>(value)];
}

static json::Value toJSON(const LaunchArgument &argument) {
  if (argument.buffer == -1)
    return json::Object{{"bits", argument.bits}, {"size", argument.size}};
  return json::Object{{"buffer", argument.buffer},
                      {"offset", argument.byteOffset}};
}

static json::Value toJSON(const BufferRecord &buffer) {
  json::Object object{{"name", json::fixUTF8(buffer.name)},
                      {"kind", nameOf(bufferKinds, buffer.kind)},
                      {"type", elementName(buffer.type)},
                      {"shape", json::Array(buffer.shape)}};
  if (buffer.kind == BufferKind::Argument || !buffer.role.empty())
    object["role"] = json::fixUTF8(buffer.role);
  if (buffer.kind == BufferKind::Argument)
    object["written"] = buffer.written;
  object["draw"] = json::Object{{"draw", json::fixUTF8(buffer.draw.draw)},
                                {"scale", buffer.draw.scale},
                                {"shift", buffer.draw.shift}};
  if (buffer.kind == BufferKind::Constant)
    object["data"] = encodeBase64(buffer.data);
  return object;
}

static json::Value toJSON(const KernelRecord &kernel) {
  json::Array ops;
  for (const std::string &op : kernel.cpuOps)
    ops.push_back(json::fixUTF8(op));
  return json::Object{{"name", json::fixUTF8(kernel.name)},
                      {"dispatch", json::fixUTF8(kernel.dispatch)},
                      {"staticShared", kernel.staticShared},
                      {"registers", kernel.registers},
                      {"spillBytes", kernel.spillBytes},
                      {"blocking", kernel.blocking},
                      {"cpuOps", std::move(ops)}};
}

static json::Value toJSON(const StepRecord &step) {
  json::Object object{{"kind", nameOf(stepKinds, step.kind)}};
  if (step.kind == StepRecord::Kind::Copy) {
    object["source"] = toJSON(step.source);
    object["destination"] = toJSON(step.destination);
    object["bytes"] = step.bytes;
    return object;
  }
  object["kernel"] = step.kernel;
  object["grid"] = json::Array(step.grid);
  object["block"] = json::Array(step.block);
  object["dynamicShared"] = step.dynamicShared;
  json::Array arguments;
  for (const LaunchArgument &argument : step.arguments)
    arguments.push_back(toJSON(argument));
  object["arguments"] = std::move(arguments);
  return object;
}

template <typename Record>
static json::Array arrayOf(const std::vector<Record> &records) {
  json::Array array;
  for (const Record &record : records)
    array.push_back(toJSON(record));
  return array;
}

std::string kernelskill::serializeProgram(const Program &program) {
  json::Array images;
  for (const ImageRecord &image : program.images)
    images.push_back(json::Object{{"kind", nameOf(imageKinds, image.kind)},
                                  {"chip", json::fixUTF8(image.chip)},
                                  {"bytes", uint64_t(image.bytes.size())}});
  json::Value plan =
      json::Object{{"producer", json::fixUTF8(program.producer)},
                   {"payloadHash", json::fixUTF8(program.payloadHash)},
                   {"recipeHash", json::fixUTF8(program.recipeHash)},
                   {"numerics", json::fixUTF8(program.numerics)},
                   {"buffers", arrayOf(program.buffers)},
                   {"kernels", arrayOf(program.kernels)},
                   {"steps", arrayOf(program.steps)},
                   {"images", std::move(images)}};
  std::string text;
  raw_string_ostream(text) << plan;

  std::string bytes;
  raw_string_ostream os(bytes);
  char number[8];
  os << magic;
  support::endian::write32le(number, kProgramVersion);
  os.write(number, 4);
  support::endian::write64le(number, text.size());
  os.write(number, 8);
  os << text;
  for (const ImageRecord &image : program.images)
    os << image.bytes;
  support::endian::write64le(number, xxh3_64bits(bytes));
  os.write(number, 8);
  return bytes;
}

//===-- Reading -----------------------------------------------------------===//

template <typename Enum, size_t count>
static bool mapName(const StringLiteral (&names)[count],
                    const json::Object &object, StringRef key, Enum &value,
                    json::Path path) {
  if (std::optional<StringRef> name = object.getString(key))
    for (auto [index, candidate] : enumerate(names))
      if (candidate == *name) {
        value = static_cast<Enum>(index);
        return true;
      }
  path.field(key).report("unknown kind");
  return false;
}

template <typename Number, size_t count>
static bool mapTriple(json::ObjectMapper &mapper, StringLiteral key,
                      std::array<Number, count> &values, json::Path path) {
  std::vector<Number> list;
  if (!mapper.map(key, list))
    return false;
  if (list.size() != count) {
    path.field(key).report("expected three extents");
    return false;
  }
  llvm::copy(list, values.begin());
  return true;
}

namespace kernelskill {
static bool fromJSON(const json::Value &value, LaunchArgument &argument,
                     json::Path path) {
  json::ObjectMapper mapper(value, path);
  if (!mapper)
    return false;
  if (value.getAsObject()->get("buffer"))
    return mapper.map("buffer", argument.buffer) &&
           mapper.map("offset", argument.byteOffset);
  unsigned size = 0;
  if (!mapper.map("bits", argument.bits) || !mapper.map("size", size))
    return false;
  // An impossible size stays impossible for the verifier.
  argument.size = size > 8 ? 0 : size;
  return true;
}

static bool fromJSON(const json::Value &value, DrawRecord &draw,
                     json::Path path) {
  json::ObjectMapper mapper(value, path);
  return mapper && mapper.map("draw", draw.draw) &&
         mapper.map("scale", draw.scale) && mapper.map("shift", draw.shift);
}

static bool fromJSON(const json::Value &value, BufferRecord &buffer,
                     json::Path path) {
  json::ObjectMapper mapper(value, path);
  std::string type, data;
  if (!mapper || !mapper.map("name", buffer.name) ||
      !mapName(bufferKinds, *value.getAsObject(), "kind", buffer.kind, path) ||
      !mapper.map("type", type) || !mapper.map("shape", buffer.shape) ||
      !mapper.mapOptional("role", buffer.role) ||
      !mapper.mapOptional("written", buffer.written) ||
      !mapper.map("draw", buffer.draw) || !mapper.mapOptional("data", data))
    return false;
  std::optional<ElementType> element = parseElementType(type);
  if (!element) {
    path.field("type").report("unknown element type");
    return false;
  }
  buffer.type = *element;
  std::vector<char> decoded;
  if (Error error = decodeBase64(data, decoded)) {
    consumeError(std::move(error));
    path.field("data").report("expected base64");
    return false;
  }
  buffer.data.assign(decoded.begin(), decoded.end());
  return true;
}

static bool fromJSON(const json::Value &value, KernelRecord &kernel,
                     json::Path path) {
  json::ObjectMapper mapper(value, path);
  return mapper && mapper.map("name", kernel.name) &&
         mapper.map("dispatch", kernel.dispatch) &&
         mapper.map("staticShared", kernel.staticShared) &&
         mapper.map("registers", kernel.registers) &&
         mapper.map("spillBytes", kernel.spillBytes) &&
         mapper.map("blocking", kernel.blocking) &&
         mapper.map("cpuOps", kernel.cpuOps);
}

static bool fromJSON(const json::Value &value, StepRecord &step,
                     json::Path path) {
  json::ObjectMapper mapper(value, path);
  if (!mapper ||
      !mapName(stepKinds, *value.getAsObject(), "kind", step.kind, path))
    return false;
  if (step.kind == StepRecord::Kind::Copy)
    return mapper.map("source", step.source) &&
           mapper.map("destination", step.destination) &&
           mapper.map("bytes", step.bytes);
  return mapper.map("kernel", step.kernel) &&
         mapTriple(mapper, "grid", step.grid, path) &&
         mapTriple(mapper, "block", step.block, path) &&
         mapper.map("dynamicShared", step.dynamicShared) &&
         mapper.map("arguments", step.arguments);
}

static bool fromJSON(const json::Value &value, ImageEntry &image,
                     json::Path path) {
  json::ObjectMapper mapper(value, path);
  return mapper &&
         mapName(imageKinds, *value.getAsObject(), "kind", image.kind, path) &&
         mapper.map("chip", image.chip) && mapper.map("bytes", image.bytes);
}

static bool fromJSON(const json::Value &value, Plan &plan, json::Path path) {
  json::ObjectMapper mapper(value, path);
  Program &program = plan.program;
  return mapper && mapper.map("producer", program.producer) &&
         mapper.map("payloadHash", program.payloadHash) &&
         mapper.map("recipeHash", program.recipeHash) &&
         mapper.map("numerics", program.numerics) &&
         mapper.map("buffers", program.buffers) &&
         mapper.map("kernels", program.kernels) &&
         mapper.map("steps", program.steps) &&
         mapper.map("images", plan.images);
}
} // namespace kernelskill

Expected<Program> kernelskill::parseProgram(StringRef bytes, StringRef name) {
  auto refuse = [&](const Twine &what) {
    return createStringError("'" + name + "' " + what + advice);
  };
  if (!bytes.starts_with(magic.substr(0, bytes.size())) || bytes.empty())
    return refuse("is not a KernelSkill program");
  if (bytes.size() < headerBytes + checksumBytes)
    return refuse("is cut: it ends after " + Twine(bytes.size()) + " bytes");
  uint32_t version = support::endian::read32le(bytes.data() + magic.size());
  if (version != kProgramVersion)
    return refuse("has program version " + Twine(version) +
                  ", this build reads version " + Twine(kProgramVersion));
  StringRef body = bytes.drop_back(checksumBytes);
  bool intact =
      xxh3_64bits(body) == support::endian::read64le(body.data() + body.size());
  // Cut and damaged files both fail the checksum; the lengths tell them apart.
  uint64_t planBytes = support::endian::read64le(bytes.data() + 12);
  StringRef rest = body.drop_front(headerBytes);
  if (planBytes > rest.size())
    return refuse("is cut or damaged: its plan should have " +
                  Twine(planBytes) + " bytes, but only " + Twine(rest.size()) +
                  " are there");
  if (!intact)
    return refuse("is cut or damaged: its checksum does not match");

  if (isNestedTooDeeply(rest.take_front(planBytes)))
    return refuse("has an unreadable plan: it is nested too deeply");
  Expected<Plan> plan = json::parse<Plan>(rest.take_front(planBytes), "plan");
  if (!plan)
    return refuse("has an unreadable plan: " + toString(plan.takeError()));
  rest = rest.drop_front(planBytes);
  for (ImageEntry &entry : plan->images) {
    if (entry.bytes > rest.size())
      return refuse("has an image of " + Twine(entry.bytes) +
                    " bytes, but only " + Twine(rest.size()) + " are left");
    plan->program.images.push_back({entry.kind, std::move(entry.chip),
                                    rest.take_front(entry.bytes).str()});
    rest = rest.drop_front(entry.bytes);
  }
  if (!rest.empty())
    return refuse("has " + Twine(rest.size()) + " bytes too many");
  if (Error error = verifyProgram(plan->program))
    return refuse("holds an " + toString(std::move(error)));
  return std::move(plan->program);
}

Expected<Program> kernelskill::readProgram(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file =
      MemoryBuffer::getFile(path, /*IsText=*/false,
                            /*RequiresNullTerminator=*/false);
  if (!file)
    return createStringError("can't read program '" + path +
                             "': " + file.getError().message());
  return parseProgram((*file)->getBuffer(), path);
}

Error kernelskill::writeProgram(const Program &program, StringRef path) {
  auto refuse = [&](const Twine &what) {
    return createStringError("can't write program '" + path + "': " + what);
  };
  if (Error error = verifyProgram(program))
    return refuse(toString(std::move(error)));
  Expected<sys::fs::TempFile> file =
      sys::fs::TempFile::create(path + ".%%%%%%.tmp");
  if (!file)
    return refuse(toString(file.takeError()));
  std::error_code code;
  {
    raw_fd_ostream os(file->FD, /*shouldClose=*/false);
    os << serializeProgram(program);
    os.flush();
    code = os.error();
    // An error that nobody cleared would abort the process.
    os.clear_error();
  }
  if (code) {
    consumeError(file->discard());
    return refuse(code.message());
  }
  if (Error error = file->keep(path))
    return joinErrors(refuse(toString(std::move(error))), file->discard());
  return Error::success();
}
