// SPDX-License-Identifier: Apache-2.0
// A matrix transposed without shared memory: what a warp reads together it writes far apart.
#include "../corpus/common.h"

__global__ void transposeMatrix(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    out[x * h + y] = in[y * w + x];
}

int main(int argc, char** argv) {
  int w = argument(argc, argv, 4096), h = w * 3 / 4;
  std::vector<float> matrix(w * h);
  for (int i = 0; i < w * h; ++i)
    matrix[i] = i % 65521;
  float *in = upload(matrix), *out = allocate<float>(w * h);
  transposeMatrix<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(in, out, w, h);
  std::vector<float> got = download(out, w * h);
  bool passed = true;
  for (int i = 0; i < w * h; i += 101)
    passed &= got[i % w * h + i / w] == matrix[i];
  return verdict(passed);
}
