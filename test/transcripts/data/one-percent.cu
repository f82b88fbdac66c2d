// SPDX-License-Identifier: Apache-2.0
__global__ void lanes(unsigned* out) {
  unsigned lane;
  asm("mov.u32 %0, %laneid;" : "=r"(lane));
  if (lane % 2 == 0)
    out[threadIdx.x] = lane;
}

int main() {
  unsigned* out = nullptr;
  cudaMalloc(&out, 128);
  lanes<<<1, 32>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
