// SPDX-License-Identifier: Apache-2.0
// COVERS: cudaMemcpy2D, cudaMemcpy3D, cudaMallocPitch, cudaMalloc3D, cudaMemset2D
// Pitched rows and a pitched volume, parts of them copied, set and computed on.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define C(x)                                                                                       \
  if (cudaError_t e = (x)) {                                                                       \
    printf("%s: %s\nFAIL\n", #x, cudaGetErrorString(e));                                           \
    exit(1);                                                                                       \
  }

__global__ void addOne(cudaPitchedPtr p, cudaExtent extent) {
  int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  if (x * sizeof(int) < extent.width) {
    char* slice = (char*)p.ptr + z * p.pitch * extent.height;
    ((int*)(slice + y * p.pitch))[x] += 1;
  }
}

int main() {
  const int W = 21, H = 9, D = 5;
  std::vector<int> image(W * H), out(W * H, -1);
  for (int i = 0; i < W * H; ++i)
    image[i] = i;
  char* rows;
  size_t pitch;
  C(cudaMallocPitch((void**)&rows, &pitch, W * sizeof(int), H));
  C(cudaMemset2D(rows, pitch, 0xff, W * sizeof(int), H));
  // The inner part only, and back as a whole.
  C(cudaMemcpy2D(rows + 2 * pitch + 3 * sizeof(int), pitch, &image[2 * W + 3], W * sizeof(int),
                 10 * sizeof(int), 4, cudaMemcpyHostToDevice));
  C(cudaMemset2D(rows, pitch, 0, 2 * sizeof(int), 3));
  C(cudaMemcpy2D(out.data(), W * sizeof(int), rows, pitch, W * sizeof(int), H,
                 cudaMemcpyDeviceToHost));
  int bad = pitch < W * sizeof(int) || pitch % 32 != 0;
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x) {
      int want = x < 2 && y < 3 ? 0 : x >= 3 && x < 13 && y >= 2 && y < 6 ? image[y * W + x] : -1;
      bad += out[y * W + x] != want;
    }
  std::vector<int> volume(W * H * D), back(W * H * D, 0);
  for (size_t i = 0; i < volume.size(); ++i)
    volume[i] = (int)(i * 3);
  cudaExtent extent = make_cudaExtent(W * sizeof(int), H, D);
  cudaPitchedPtr p;
  C(cudaMalloc3D(&p, extent));
  C(cudaMemset3D(p, 0, extent));
  cudaMemcpy3DParms in = {0};
  in.srcPtr = make_cudaPitchedPtr(volume.data(), W * sizeof(int), W, H);
  in.dstPtr = p;
  in.extent = extent;
  in.kind = cudaMemcpyHostToDevice;
  C(cudaMemcpy3D(&in));
  addOne<<<dim3(H, D), 32>>>(p, extent);
  C(cudaGetLastError());
  cudaMemcpy3DParms part = {0}; // a corner, by positions in bytes, rows and slices
  part.srcPtr = p;
  part.srcPos = make_cudaPos(4 * sizeof(int), 3, 2);
  part.dstPtr = make_cudaPitchedPtr(back.data(), W * sizeof(int), W, H);
  part.dstPos = make_cudaPos(4 * sizeof(int), 3, 2);
  part.extent = make_cudaExtent((W - 4) * sizeof(int), H - 3, D - 2);
  part.kind = cudaMemcpyDeviceToHost;
  C(cudaMemcpy3D(&part));
  for (int z = 0; z < D; ++z)
    for (int y = 0; y < H; ++y)
      for (int x = 0; x < W; ++x) {
        int i = (z * H + y) * W + x;
        bad += back[i] != (x >= 4 && y >= 3 && z >= 2 ? volume[i] + 1 : 0);
      }
  C(cudaFree(rows));
  C(cudaFree(p.ptr));
  printf("%d wrong\n%s\n", bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
