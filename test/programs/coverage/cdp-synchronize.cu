// SPDX-License-Identifier: Apache-2.0
// REFUSED: device code cannot wait for its children since CUDA 12
// COVERS: dynamic parallelism: cudaDeviceSynchronize
// FLAGS: -rdc=true
// What CUDA 11 took: a kernel that waits for its children.
__global__ void child(int* v) {
  v[threadIdx.x] = threadIdx.x;
}

__global__ void parent(int* v) {
  child<<<1, 32>>>(v);
  cudaDeviceSynchronize();
  v[0] = v[31];
}

int main() {
  int* v;
  cudaMalloc(&v, 32 * sizeof(int));
  parent<<<1, 1>>>(v);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
