// SPDX-License-Identifier: Apache-2.0
// Forces of Lennard-Jones with cells: each atom looks at the 27 cells around it.
#include "common.h"

const int MOST = 16;

struct Cells {
  const float4* atoms;
  const int* count;
  int side;
};

__host__ __device__ float4 forceOn(const Cells& cells, int cell, int slot) {
  int side = cells.side, cx = cell % side, cy = cell / side % side, cz = cell / side / side;
  float4 mine = cells.atoms[cell * MOST + slot], force = make_float4(0, 0, 0, 0);
  for (int z = cz > 0 ? cz - 1 : 0; z <= cz + 1 && z < side; ++z)
    for (int y = cy > 0 ? cy - 1 : 0; y <= cy + 1 && y < side; ++y)
      for (int x = cx > 0 ? cx - 1 : 0; x <= cx + 1 && x < side; ++x) {
        int other = (z * side + y) * side + x;
        for (int k = 0; k < cells.count[other]; ++k) {
          float4 b = cells.atoms[other * MOST + k];
          float dx = mine.x - b.x, dy = mine.y - b.y, dz = mine.z - b.z,
                r2 = dx * dx + dy * dy + dz * dz;
          if (r2 >= 1.0f || r2 < 1e-6f)
            continue;
          float s2 = 0.09f / (r2 + 0.05f), s6 = s2 * s2 * s2, pull = s6 * (2 * s6 - 1);
          force.x += pull * dx;
          force.y += pull * dy;
          force.z += pull * dz;
          force.w += s6 * (s6 - 1);
        }
      }
  return force;
}

__global__ void cellForces(Cells cells, float4* forces) {
  int slot = threadIdx.x % MOST, cell = (blockIdx.x * blockDim.x + threadIdx.x) / MOST;
  if (cell < cells.side * cells.side * cells.side && slot < cells.count[cell])
    forces[cell * MOST + slot] = forceOn(cells, cell, slot);
}

int main(int argc, char** argv) {
  int side = argument(argc, argv, 4), total = side * side * side;
  Random random(97);
  std::vector<float4> atoms(total * MOST, make_float4(0, 0, 0, 0));
  std::vector<int> count(total);
  for (int cell = 0; cell < total; ++cell) {
    count[cell] = random.next() % MOST / (1 + random.next() % 2);
    for (int k = 0; k < count[cell]; ++k)
      atoms[cell * MOST + k] =
          make_float4(cell % side + random.uniform(), cell / side % side + random.uniform(),
                      cell / side / side + random.uniform(), 0);
  }
  float4* forces = allocate<float4>(total * MOST);
  cellForces<<<(total * MOST + 127) / 128, 128>>>(Cells{upload(atoms), upload(count), side},
                                                  forces);
  std::vector<float4> got = download(forces, total * MOST);
  Cells host{atoms.data(), count.data(), side};
  bool passed = true;
  for (int cell = 0; cell < total; ++cell)
    for (int k = 0; k < count[cell]; ++k) {
      float4 want = forceOn(host, cell, k);
      passed &=
          near(got[cell * MOST + k].x, want.x, 1e-3) && near(got[cell * MOST + k].w, want.w, 1e-3);
    }
  return verdict(passed);
}
