// SPDX-License-Identifier: Apache-2.0
// STOPS: launches 'deeper' 25 deep: kernels launch kernels at most 24 deep
// FLAGS: -rdc=true
// A kernel that launches itself without end.
__global__ void deeper(int depth) {
  deeper<<<1, 1>>>(depth + 1); // HERE
}

int main() {
  deeper<<<1, 1>>>(0);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
