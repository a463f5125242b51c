/* Runs an exported ReLU on numbers from a file, on a GPU or on the CPU device.
 *
 *   exported cuda:0 input.f32 output.f32 */
#include "relu.h"

#include <stdio.h>
#include <stdlib.h>

static int fail(const char *what, const char *why) {
  fprintf(stderr, "exported: %s: %s\n", what, why);
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 4)
    return fail("usage", "exported DEVICE INPUT OUTPUT");
  KsProgram *program = relu_load(argv[1]);
  if (!program)
    return fail(argv[1], ks_last_error());
  KsBuffer x, y;
  ks_program_argument(program, RELU_ARGUMENT_x, &x);
  ks_program_result(program, 0, &y);
  void *input = malloc(x.bytes), *output = malloc(y.bytes);
  FILE *file = fopen(argv[2], "rb");
  if (!file || fread(input, 1, x.bytes, file) != x.bytes)
    return fail(argv[2], "can't read the input");
  fclose(file);
  void *arguments[RELU_ARGUMENT_COUNT] = {input};
  void *results[RELU_RESULT_COUNT] = {output};
  if (relu_run(program, arguments, results))
    return fail("run", ks_last_error());
  file = fopen(argv[3], "wb");
  if (!file || fwrite(output, 1, y.bytes, file) != y.bytes || fclose(file))
    return fail(argv[3], "can't write the output");
  ks_program_free(program);
  free(input);
  free(output);
  return 0;
}
