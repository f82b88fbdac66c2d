// Barriers that not all threads of a block come to.
__global__ void inBranch(float* x) {
  if (threadIdx.x < 32) {
    x[threadIdx.x] = 1;
    __syncthreads();
  }
  x[threadIdx.x] += 1;
  __syncthreads();
}

__global__ void inLoop(float* x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    x[i] += 1;
    __syncthreads();
  }
  x[threadIdx.x] += x[0];
  __syncthreads();
}

__global__ void byData(const int* x, int* out) {
  if (x[threadIdx.x] > 0)
    out[0] = __syncthreads_count(1);
  __syncthreads();
}

__global__ void afterReturn(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  x[i] = 1;
  __syncthreads();
  x[i] += x[0];
}
