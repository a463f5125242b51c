// kernelskill: optimize, build, run, verify, explain, journal, doctor.
#include "KernelSkill/Driver/CommandLine.h"

int main(int argc, char **argv) {
  return kernelskill::runCommandLine(argc, argv);
}
