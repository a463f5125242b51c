// The flag that SIGINT sets; see the header.
#include "Interrupt.h"

#include <csignal>
#include <ctime>
#include <unistd.h>

static volatile std::sig_atomic_t flag = 0;
static timespec first;

static void onSignal(int number) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!flag) {
    first = now;
    flag = 1;
    return;
  }
  // `timeout` sends its signal to the process and again to its group.
  double passed =
      double(now.tv_sec - first.tv_sec) + (now.tv_nsec - first.tv_nsec) * 1e-9;
  if (passed > 0.2)
    _exit(128 + number);
}

void kernelskill::catchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = onSignal; // no SA_RESTART: poll() returns
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool kernelskill::interrupted() { return flag; }
