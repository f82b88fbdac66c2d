// Tree reductions as they should be.
__device__ void foldVolatile(volatile float* part, int tid) {
  part[tid] += part[tid + 32];
  part[tid] += part[tid + 16];
  part[tid] += part[tid + 8];
}

__device__ void foldInStep(float* part, int tid) {
  for (int s = 32; s > 0; s >>= 1) {
    const float other = part[tid + s];
    __syncwarp();
    part[tid] += other;
    __syncwarp();
  }
}

template <bool Volatile> __global__ void reduce(float* x) {
  __shared__ float part[256];
  const int tid = threadIdx.x;
  part[tid] = x[tid];
  __syncthreads();
  for (int s = blockDim.x / 2; s > 32; s >>= 1) {
    if (tid < s)
      part[tid] += part[tid + s];
    __syncthreads();
  }
  if (tid < 32) {
    if (Volatile)
      foldVolatile(part, tid);
    else
      foldInStep(part, tid);
  }
  if (tid == 0)
    x[0] = part[0];
}

template __global__ void reduce<false>(float* x);
template __global__ void reduce<true>(float* x);
