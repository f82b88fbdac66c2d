// SPDX-License-Identifier: Apache-2.0
// A grid-stride loop in two dimensions with a guard: each cell is visited exactly once whatever the
// launch.
#include "../check.h"

__global__ void visit(int* cells, int width, int height) {
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x)
      cells[y * width + x] += x * 1000 + y + 1;
}

int main() {
  const int width = 101, height = 37;
  const dim3 launches[][2] = {
      {1, 1}, {dim3(1, 1), dim3(32, 8)}, {dim3(9, 11), dim3(13, 5)}, {dim3(200, 3), dim3(2, 2)}};
  for (const dim3* launch : launches) {
    DeviceArray<int> cells(std::vector<int>(width * height, 0));
    visit<<<launch[0], launch[1]>>>(cells, width, height);
    CHECK_LAUNCH();
    expectArray("cells", cells.read(),
                [](size_t i) { return int(i % width * 1000 + i / width + 1); });
  }
  return finish();
}
