// Barriers that all threads come to.
__global__ void tiles(float* x, int n) {
  __shared__ float tile[256];
  for (int start = 0; start < n; start += blockDim.x) {
    if (start + threadIdx.x < n)
      tile[threadIdx.x] = x[start + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
      x[start] = tile[0];
    __syncthreads();
  }
}

__global__ void agreed(int* x) {
  int changed = 1;
  while (changed) {
    const int mine = x[threadIdx.x];
    if (mine > 0)
      x[threadIdx.x] = mine - 1;
    changed = __syncthreads_or(mine > 1);
  }
}

__global__ void flag(const int* x, int* out) {
  __shared__ int any;
  if (threadIdx.x == 0)
    any = x[blockIdx.x];
  __syncthreads();
  if (any) {
    out[threadIdx.x] = 1;
    __syncthreads();
  }
}
