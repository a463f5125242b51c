// The flag that SIGINT sets; see the header.
#include "Interrupt.h"

#include <csignal>
#include <unistd.h>

static volatile std::sig_atomic_t flag = 0;

static void onSignal(int number) {
  if (flag)
    _exit(128 + number);
  flag = 1;
}

void kernelskill::catchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = onSignal; // no SA_RESTART: poll() returns
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool kernelskill::interrupted() { return flag; }
