// The C interface: errors become texts, devices and buffers are kept between
// runs.
#include "KernelSkill/Runtime/CApi.h"

#include "CudaProgram.h"
#include "KernelSkill/Runtime/Device.h"

using namespace llvm;
using namespace kernelskill;

struct KsProgram {
  std::unique_ptr<Device> device;
  std::unique_ptr<LoadedProgram> loaded;
  std::vector<uint32_t> arguments, results; // indices of the buffers
  // Device copies of host buffers, made at the first run that needs them.
  std::vector<DeviceAddress> argumentCopies, resultCopies;
  std::string launches; // of the last time that they were asked for

  const BufferRecord &buffer(uint32_t index) const {
    return loaded->program().buffers[index];
  }
};

static thread_local std::string lastError;

/// Keeps the error's text; 0 or -1.
static int finish(Error error) {
  lastError = error ? toString(std::move(error)) : std::string();
  return lastError.empty() ? 0 : -1;
}

static Expected<std::unique_ptr<KsProgram>> load(Expected<Program> file,
                                                 StringRef device) {
  auto program = std::make_unique<KsProgram>();
  if (!file)
    return file.takeError();
  Expected<std::unique_ptr<Device>> opened = openDevice(device);
  if (!opened)
    return opened.takeError();
  program->device = std::move(*opened);
  Expected<std::unique_ptr<LoadedProgram>> loaded =
      program->device->load(*file);
  if (!loaded)
    return loaded.takeError();
  program->loaded = std::move(*loaded);
  program->arguments = file->buffersOf(BufferKind::Argument);
  program->results = file->buffersOf(BufferKind::Result);
  return program;
}

/// Hands the program to the caller; null, and the error kept, without one.
static KsProgram *give(Expected<std::unique_ptr<KsProgram>> program) {
  if (!program) {
    finish(program.takeError());
    return nullptr;
  }
  finish(Error::success());
  return program->release();
}

KsProgram *ks_program_load(const char *path, const char *device) {
  if (!path || !device) {
    finish(createStringError("ks_program_load: path or device is null"));
    return nullptr;
  }
  return give(load(readProgram(path), device));
}

KsProgram *ks_program_load_memory(const void *bytes, size_t size,
                                  const char *name, const char *device) {
  if (!bytes || !name || !device) {
    finish(createStringError(
        "ks_program_load_memory: bytes, name or device is null"));
    return nullptr;
  }
  StringRef text(static_cast<const char *>(bytes), size);
  return give(load(parseProgram(text, name), device));
}

void ks_program_free(KsProgram *program) {
  if (!program)
    return;
  // The program gives its own buffers back first.
  program->loaded.reset();
  for (DeviceAddress address : program->argumentCopies)
    program->device->release(address);
  for (DeviceAddress address : program->resultCopies)
    program->device->release(address);
  delete program;
}

size_t ks_program_argument_count(const KsProgram *program) {
  return program ? program->arguments.size() : 0;
}

size_t ks_program_result_count(const KsProgram *program) {
  return program ? program->results.size() : 0;
}

static int describe(const KsProgram *program, ArrayRef<uint32_t> indices,
                    size_t index, KsBuffer *description, StringRef what) {
  if (!description)
    return finish(createStringError("the description's address is null"));
  if (index >= indices.size())
    return finish(createStringError("no " + what + " " + Twine(index) +
                                    ": the program has " +
                                    Twine(indices.size())));
  const BufferRecord &buffer = program->buffer(indices[index]);
  // Names of types are literals, so they end in a null.
  *description = {
      buffer.name.c_str(), elementName(buffer.type).data(),
      buffer.shape.data(), buffer.shape.size(),
      buffer.bytes(),      buffer.kind == BufferKind::Result || buffer.written};
  return finish(Error::success());
}

int ks_program_argument(const KsProgram *program, size_t index,
                        KsBuffer *description) {
  return describe(program,
                  program ? ArrayRef(program->arguments) : ArrayRef<uint32_t>(),
                  index, description, "argument");
}

int ks_program_result(const KsProgram *program, size_t index,
                      KsBuffer *description) {
  return describe(program,
                  program ? ArrayRef(program->results) : ArrayRef<uint32_t>(),
                  index, description, "result");
}

static Error allocateCopies(KsProgram &program, ArrayRef<uint32_t> indices,
                            std::vector<DeviceAddress> &copies) {
  while (copies.size() < indices.size()) {
    Expected<DeviceAddress> memory = program.device->allocate(
        program.buffer(indices[copies.size()]).bytes());
    if (!memory)
      return memory.takeError();
    copies.push_back(*memory);
  }
  return Error::success();
}

static Error runOnHostBuffers(KsProgram &program, ArrayRef<void *> arguments,
                              ArrayRef<void *> results) {
  if (Error error =
          allocateCopies(program, program.arguments, program.argumentCopies))
    return error;
  if (Error error =
          allocateCopies(program, program.results, program.resultCopies))
    return error;
  for (auto [index, host, address] :
       zip_equal(program.arguments, arguments, program.argumentCopies))
    if (Error error = program.device->copyToDevice(
            address, host, program.buffer(index).bytes()))
      return error;
  if (Error error =
          program.loaded->run(program.argumentCopies, program.resultCopies))
    return error;
  for (auto [index, host, address] :
       zip_equal(program.results, results, program.resultCopies))
    if (Error error = program.device->copyFromDevice(
            host, address, program.buffer(index).bytes()))
      return error;
  for (auto [index, host, address] :
       zip_equal(program.arguments, arguments, program.argumentCopies))
    if (program.buffer(index).written)
      if (Error error = program.device->copyFromDevice(
              host, address, program.buffer(index).bytes()))
        return error;
  return Error::success();
}

static Error checkPointers(const KsProgram &program, ArrayRef<uint32_t> indices,
                           void *const *pointers, StringRef what) {
  for (auto [position, index] : enumerate(indices))
    if (!pointers || (!pointers[position] && program.buffer(index).bytes()))
      return createStringError(what + " " + Twine(position) + " ('" +
                               program.buffer(index).name + "') is null");
  return Error::success();
}

static Error checkCall(const KsProgram *program, void *const *arguments,
                       void *const *results) {
  if (!program)
    return createStringError("the program is null");
  if (Error error =
          checkPointers(*program, program->arguments, arguments, "argument"))
    return error;
  return checkPointers(*program, program->results, results, "result");
}

static std::vector<DeviceAddress> addressesOf(void *const *pointers,
                                              size_t count) {
  std::vector<DeviceAddress> list;
  for (void *pointer : ArrayRef(pointers, count))
    list.push_back(reinterpret_cast<DeviceAddress>(pointer));
  return list;
}

int ks_program_run(KsProgram *program, void *const *arguments,
                   void *const *results, unsigned flags) {
  if (Error error = checkCall(program, arguments, results))
    return finish(std::move(error));
  if (flags > KS_DEVICE_POINTERS)
    return finish(
        createStringError("ks_program_run: unknown flags " + Twine(flags)));
  if (flags == KS_HOST_POINTERS)
    return finish(runOnHostBuffers(*program,
                                   {arguments, program->arguments.size()},
                                   {results, program->results.size()}));
  return finish(
      program->loaded->run(addressesOf(arguments, program->arguments.size()),
                           addressesOf(results, program->results.size())));
}

int ks_program_enqueue(KsProgram *program, void *const *arguments,
                       void *const *results, void *stream) {
  if (Error error = checkCall(program, arguments, results))
    return finish(std::move(error));
  auto *cuda = dynamic_cast<CudaProgram *>(program->loaded.get());
  if (!cuda)
    return finish(createStringError(
        "ks_program_enqueue: the CPU device has no streams; use "
        "ks_program_run"));
  if (Error error =
          cuda->prepare(addressesOf(arguments, program->arguments.size()),
                        addressesOf(results, program->results.size()),
                        static_cast<CUstream>(stream)))
    return finish(std::move(error));
  return finish(cuda->enqueue(static_cast<CUstream>(stream)));
}

const char *ks_program_launches(KsProgram *program) {
  if (!program)
    return "";
  program->launches = program->loaded->launches();
  return program->launches.c_str();
}

const char *ks_last_error(void) { return lastError.c_str(); }
