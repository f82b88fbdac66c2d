// SPDX-License-Identifier: Apache-2.0
#include "bodies.h"
#include <cmath>

void advance_cpu(Bodies b, int steps, float dt, float radius)
{
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < b.count; i++) {
      double ax = 0, ay = 0, az = 0;
      for (int j = 0; j < b.count; j++) {
        double dx = b.x[j] - b.x[i], dy = b.y[j] - b.y[i], dz = b.z[j] - b.z[i];
        double r2 = dx * dx + dy * dy + dz * dz;
        if (i != j && r2 < (double)radius * radius) {
          double f = b.mass[j] / std::pow(r2 + 0.01, 1.5);
          ax += f * dx;
          ay += f * dy;
          az += f * dz;
        }
      }
      b.vx[i] += (float)(dt * ax);
      b.vy[i] += (float)(dt * ay);
      b.vz[i] += (float)(dt * az);
    }
    for (int i = 0; i < b.count; i++) {
      b.x[i] += dt * b.vx[i];
      b.y[i] += dt * b.vy[i];
      b.z[i] += dt * b.vz[i];
    }
  }
}
