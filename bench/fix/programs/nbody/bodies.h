// SPDX-License-Identifier: Apache-2.0
#ifndef BODIES_H_
#define BODIES_H_

struct Bodies {
  int count;
  float *x, *y, *z, *mass;
  float *vx, *vy, *vz;
};

// nbody_gpu.cu; the arrays are the host's. Returns the milliseconds of the kernels.
float advance_gpu(Bodies b, int steps, float dt, float radius);

// nbody_cpu.cpp
void advance_cpu(Bodies b, int steps, float dt, float radius);

#endif
