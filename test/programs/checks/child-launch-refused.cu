// SPDX-License-Identifier: Apache-2.0
// STOPS: the launch of 'child' <<<(1, 1, 1), (32, 1, 1), 65536>>> is refused: invalid argument
// FLAGS: -rdc=true
// A kernel launches one with more dynamic shared memory than it may have; on a GPU it would not run, and nobody would know.
__global__ void child(int* v) {
  extern __shared__ int words[];
  words[threadIdx.x] = threadIdx.x;
  __syncthreads();
  v[threadIdx.x] = words[threadIdx.x ^ 1];
}

__global__ void parent(int* v) {
  child<<<1, 32, 65536>>>(v); // HERE
}

int main() {
  int* v;
  cudaMalloc(&v, 32 * sizeof(int));
  parent<<<1, 1>>>(v);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
