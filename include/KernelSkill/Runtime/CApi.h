/* The C interface of the Runtime: load a program file and run it. No MLIR, no
 * LLVM header, no C++ needed.
 *
 *   KsProgram *program = ks_program_load("out/program.ksp", "cuda:0");
 *   if (!program) { puts(ks_last_error()); exit(1); }
 *   void *arguments[] = {a, b}, *results[] = {c};
 *   if (ks_program_run(program, arguments, results, KS_HOST_POINTERS) != 0)
 *     puts(ks_last_error());
 *   ks_program_free(program);
 *
 * Buffers are dense and row-major, of the sizes that the descriptions state. A
 * program belongs to one thread at a time. */
#ifndef KERNELSKILL_RUNTIME_CAPI_H
#define KERNELSKILL_RUNTIME_CAPI_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define KS_API __attribute__((visibility("default")))
#else
#define KS_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct KsProgram KsProgram;

/* An argument or a result. The pointers live as long as the program. */
typedef struct KsBuffer {
  const char *name;     /* as in the payload; may be empty */
  const char *type;     /* "f32", "i64", ... */
  const int64_t *shape; /* rank extents */
  size_t rank;
  uint64_t bytes;
  int written; /* whether the program writes it (results: always) */
} KsBuffer;

enum {
  /* The pointers are host memory: arguments are copied to the device before
   * the run, results and written arguments back after it. */
  KS_HOST_POINTERS = 0,
  /* The pointers are addresses on the program's device, 256-byte aligned. */
  KS_DEVICE_POINTERS = 1
};

/* Loads a program file onto "cpu" or "cuda:N". NULL on failure. */
KS_API KsProgram *ks_program_load(const char *path, const char *device);
/* The same for a program file's bytes in memory, which may go after the call;
 * `name` is for messages. */
KS_API KsProgram *ks_program_load_memory(const void *bytes, size_t size,
                                         const char *name, const char *device);
KS_API void ks_program_free(KsProgram *program);

KS_API size_t ks_program_argument_count(const KsProgram *program);
KS_API size_t ks_program_result_count(const KsProgram *program);
/* Describe argument or result number `index`. 0, or -1 if there is none. */
KS_API int ks_program_argument(const KsProgram *program, size_t index,
                               KsBuffer *description);
KS_API int ks_program_result(const KsProgram *program, size_t index,
                             KsBuffer *description);

/* Runs the program once and waits for it. `arguments` and `results` hold one
 * pointer for each, in order. 0, or -1 on failure: then results are undefined,
 * and after a fault on a GPU the process can't use that GPU any more. */
KS_API int ks_program_run(KsProgram *program, void *const *arguments,
                          void *const *results, unsigned flags);

/* Puts one run onto a CUDA stream (a CUstream; null: the legacy stream) and
 * does not wait. The pointers are device addresses, in order, and must live
 * until the run is over; runs of one program must not overlap, since they share
 * its temporaries. 0, or -1 on failure or if the program's device is the CPU.
 */
KS_API int ks_program_enqueue(KsProgram *program, void *const *arguments,
                              void *const *results, void *stream);

/* How the last run was put onto a GPU: "replayed as a CUDA graph" (of a program
 * of some steps, from the second run in a row with the same pointers on), or
 * "launched one by one: <why>". "" on the CPU and before the first run. The
 * text lives until the next call with this program. */
KS_API const char *ks_program_launches(KsProgram *program);

/* Why the last call on this thread failed; "" if it did not. The text lives
 * until the thread's next call of a function above. */
KS_API const char *ks_last_error(void);

#ifdef __cplusplus
}
#endif

#endif /* KERNELSKILL_RUNTIME_CAPI_H */
