// SPDX-License-Identifier: Apache-2.0
// STOPS: writes 4 bytes at
// FLAGS: -rdc=true
// The fault is in the child: it ends the run as that of any kernel does.
__global__ void child(int* v) {
  v[threadIdx.x] = threadIdx.x; // HERE
}

__global__ void parent(int* v) {
  if (threadIdx.x == 0)
    child<<<1, 64>>>(v);
}

int main() {
  int* v;
  cudaMalloc(&v, 32 * sizeof(int));
  parent<<<1, 32>>>(v);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
