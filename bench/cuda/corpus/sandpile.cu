// SPDX-License-Identifier: Apache-2.0
// The sandpile automaton: cells with four grains or more give one to each neighbour.
#include "common.h"

__global__ void topple(const int* old, int* now, int n, int* unstable) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n)
    return;
  int i = y * n + x, grains = old[i];
  if (grains >= 4)
    grains -= grains / 4 * 4;
  if (x > 0)
    grains += old[i - 1] / 4;
  if (x < n - 1)
    grains += old[i + 1] / 4;
  if (y > 0)
    grains += old[i - n] / 4;
  if (y < n - 1)
    grains += old[i + n] / 4;
  now[i] = grains;
  if (grains >= 4)
    *unstable = 1;
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 48), steps = 12;
  std::vector<int> sand(n * n, 2), next(n * n);
  for (int i = 0; i < n * n; i += 97)
    sand[i] = 60;
  int *a = upload(sand), *b = allocate<int>(n * n), *unstable = allocate<int>(1);
  for (int step = 0; step < steps; ++step) {
    topple<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(a, b, n, unstable);
    std::swap(a, b);
    for (int i = 0; i < n * n; ++i) {
      int x = i % n;
      next[i] = sand[i] % 4 + (x > 0 ? sand[i - 1] / 4 : 0) + (x < n - 1 ? sand[i + 1] / 4 : 0) +
                (i >= n ? sand[i - n] / 4 : 0) + (i < n * n - n ? sand[i + n] / 4 : 0);
    }
    std::swap(sand, next);
  }
  return verdict(download(a, n * n) == sand && download(unstable, 1)[0] == 1);
}
