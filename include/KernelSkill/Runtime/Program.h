// A program: what runs. A plan (buffers and a flat list of steps) and binaries,
// in a versioned file that needs no MLIR to load.
//
// The file: the 8 bytes "KSPROG\0\0", a little-endian u32 format version, a u64
// length of the JSON plan, the plan, the images one after the other in the
// plan's order, and the xxh3-64 of all that came before. A file that is cut,
// damaged or of another version is an error that names the file and says what
// to do ("rebuild it with 'kernelskill build'").
#ifndef KERNELSKILL_RUNTIME_PROGRAM_H
#define KERNELSKILL_RUNTIME_PROGRAM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kernelskill {

inline constexpr uint32_t kProgramVersion = 1;

enum class ElementType : uint8_t { I1, I8, I16, I32, I64, F16, BF16, F32, F64 };
/// Bytes of one element (i1 takes one byte).
unsigned elementBytes(ElementType type);
/// "f32", "i64", …
llvm::StringRef elementName(ElementType type);
std::optional<ElementType> parseElementType(llvm::StringRef name);

enum class BufferKind : uint8_t { Argument, Result, Temporary, Constant };

/// How an argument's values are drawn: `scale * draw + shift` (see
/// #kernelskill.argument). `draw` is one of uniform, normal, zeros, ones,
/// integer, dropout.
struct DrawRecord {
  std::string draw = "normal";
  double scale = 1, shift = 0;
};

/// One device buffer. Arguments and results come in the payload's order; their
/// shape is the payload's. Every buffer is dense, row-major, 256-byte aligned.
struct BufferRecord {
  std::string name;
  BufferKind kind = BufferKind::Temporary;
  ElementType type = ElementType::F32;
  std::vector<int64_t> shape;
  // input, parameter, buffer, random. A result's is buffer if it is the new
  // value of the argument of its name, and empty otherwise.
  std::string role;
  DrawRecord draw;
  bool written =
      false;        // an argument that the program writes (gpu.func payloads)
  std::string data; // bytes of a constant, empty otherwise
  uint64_t elements() const;
  uint64_t bytes() const;
};

/// One kernel argument: the address of a buffer plus an offset, or a scalar of
/// `size` bytes whose bits are in `bits`.
struct LaunchArgument {
  int32_t buffer = -1; // index into Program::buffers, -1 for a scalar
  uint64_t byteOffset = 0;
  uint64_t bits = 0;
  uint8_t size = 8;
};

/// One step of the plan, run in order.
struct StepRecord {
  enum class Kind : uint8_t { Launch, Copy } kind = Kind::Launch;
  // Launch
  uint32_t kernel = 0; // index into Program::kernels
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  uint32_t dynamicShared = 0;
  std::vector<LaunchArgument> arguments;
  // Copy: bytes from one buffer to another
  LaunchArgument source, destination;
  uint64_t bytes = 0;
};

/// One kernel. `cpuOps` maps the operation numbers that the CPU image hands to
/// the checks to "file:line:column: operation".
struct KernelRecord {
  std::string name;     // symbol in the images
  std::string dispatch; // fingerprint, may be empty
  uint32_t staticShared = 0;
  uint32_t registers = 0, spillBytes = 0; // as ptxas said; 0 if not assembled
  bool blocking =
      false; // has barriers, shuffles or votes: the CPU device needs fibers
  std::vector<std::string> cpuOps;
};

/// One binary that holds all kernels of the program.
struct ImageRecord {
  enum class Kind : uint8_t { Cubin, Ptx, CpuObject } kind = Kind::Cubin;
  std::string chip; // sm_90a; for CPU objects the triple
  std::string bytes;
};

struct Program {
  std::string producer;    // "kernelskill 0.1.0"
  std::string payloadHash; // of the payload's canonical text
  std::string recipeHash;  // canonical hash of the recipe, empty for the seed
  std::string numerics;    // fp32, …
  std::vector<BufferRecord> buffers;
  std::vector<KernelRecord> kernels;
  std::vector<StepRecord> steps;
  std::vector<ImageRecord> images;

  const ImageRecord *image(ImageRecord::Kind kind) const;
  /// Indices of the argument or result buffers, in order.
  std::vector<uint32_t> buffersOf(BufferKind kind) const;
};

/// Checks indices, sizes and limits: every step names an existing kernel and
/// buffers, offsets lie inside, grids and blocks are within CUDA's limits.
llvm::Error verifyProgram(const Program &program);
/// Serialized form, and its inverse (verified). `name` is for messages.
std::string serializeProgram(const Program &program);
llvm::Expected<Program> parseProgram(llvm::StringRef bytes,
                                     llvm::StringRef name);
/// Reads and writes the file. Writing goes to a temporary file first, so that a
/// full disk or a kill never leaves half a program.
llvm::Expected<Program> readProgram(llvm::StringRef path);
llvm::Error writeProgram(const Program &program, llvm::StringRef path);

} // namespace kernelskill

#endif // KERNELSKILL_RUNTIME_PROGRAM_H
