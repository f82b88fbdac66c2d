// SPDX-License-Identifier: Apache-2.0
//
// The Mandelbrot set, one pixel a thread. Neighbours need very different numbers of iterations, and
// a warp iterates until its last lane has escaped.
//
//   heddle fix examples/06-fractal/fractal.cu
#include "../common.h"

__global__ void mandelbrot(int* counts, int width, int height, int most) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  const float cx = -2.0f + 3.0f * static_cast<float>(pixel % width) / static_cast<float>(width);
  const float cy = -1.2f + 2.4f * static_cast<float>(pixel / width) / static_cast<float>(height);
  float x = 0.0f, y = 0.0f;
  int count = 0;
  while (count < most && x * x + y * y < 4.0f) {
    const float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    ++count;
  }
  counts[pixel] = count;
}

int main(int argc, char** argv) {
  const int most = argc > 1 ? std::atoi(argv[1]) : 256;
  const int width = 512, height = 512, threads = 256;
  int* counts = toDevice(std::vector<int>(width * height));
  mandelbrot<<<width * height / threads, threads>>>(counts, width, height, most);
  CHECK(cudaGetLastError());
  printMean("pixels", toHost(counts, width * height));
}
