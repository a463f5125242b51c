// The version that --version prints and programs carry.
#ifndef KERNELSKILL_VERSION_H
#define KERNELSKILL_VERSION_H

#define KERNELSKILL_VERSION "0.1.0"

#endif // KERNELSKILL_VERSION_H
