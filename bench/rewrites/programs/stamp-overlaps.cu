// SPDX-License-Identifier: Apache-2.0
// Strokes paint a canvas strip of their own; later dabs of a stroke cover earlier ones.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define STRIP 32

__global__ void paint(const int* dabStart, const unsigned char* at, const unsigned char* colour,
                      unsigned char* canvas, const char* visible, int strokes) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= strokes) return;
  if (!visible[s]) return;
  for (int d = dabStart[s]; d < dabStart[s + 1]; ++d) {
    for (int w = 0; w < 6; ++w) {
      int x = at[d] + w;
      if (x < STRIP) canvas[s * STRIP + x] = static_cast<unsigned char>(colour[d] + w);
    }
  }
}

int main(int argc, char** argv) {
  int strokes = argc > 1 ? std::atoi(argv[1]) : 300000;
  unsigned seed = 1888;
  auto rnd = [&seed] { return (seed = seed * 1664525u + 1013904223u) >> 9; };
  std::vector<int> dabStart(strokes + 1, 0);
  std::vector<char> visible(strokes);
  for (int s = 0; s < strokes; ++s) {
    dabStart[s + 1] = dabStart[s] + 4 + rnd() % 20;
    visible[s] = rnd() % 3 != 0;
  }
  int dabs = dabStart[strokes];
  std::vector<unsigned char> at(dabs), colour(dabs), canvas(size_t(strokes) * STRIP);
  for (int d = 0; d < dabs; ++d) {
    at[d] = rnd() % STRIP;
    colour[d] = rnd() % 200;
  }
  int* dStart;
  unsigned char *dAt, *dColour, *dCanvas;
  char* dVisible;
  cudaMalloc(&dStart, dabStart.size() * sizeof(int));
  cudaMalloc(&dAt, dabs);
  cudaMalloc(&dColour, dabs);
  cudaMalloc(&dCanvas, canvas.size());
  cudaMalloc(&dVisible, strokes);
  cudaMemcpy(dStart, dabStart.data(), dabStart.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dAt, at.data(), dabs, cudaMemcpyHostToDevice);
  cudaMemcpy(dColour, colour.data(), dabs, cudaMemcpyHostToDevice);
  cudaMemcpy(dVisible, visible.data(), strokes, cudaMemcpyHostToDevice);
  cudaMemset(dCanvas, 0, canvas.size());
  paint<<<(strokes + 127) / 128, 128>>>(dStart, dAt, dColour, dCanvas, dVisible, strokes);
  cudaMemcpy(canvas.data(), dCanvas, canvas.size(), cudaMemcpyDeviceToHost);
  unsigned long long check = 0;
  for (unsigned char c : canvas) check = check * 31 + c;
  std::printf("check %016llx\n", check);
  cudaFree(dStart);
  cudaFree(dAt);
  cudaFree(dColour);
  cudaFree(dCanvas);
  cudaFree(dVisible);
  return 0;
}
