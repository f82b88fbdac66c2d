// Tree reductions in the forms that textbooks warn of.
__global__ void spread(float* x) {
  __shared__ float part[256];
  const int tid = threadIdx.x;
  part[tid] = x[tid];
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    if (tid % (2 * s) == 0)
      part[tid] += part[tid + s];
    __syncthreads();
  }
  if (tid == 0)
    x[0] = part[0];
}

__global__ void strided(float* x) {
  __shared__ float part[256];
  const int tid = threadIdx.x;
  part[tid] = x[tid];
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    const int index = 2 * s * tid;
    if (index < blockDim.x)
      part[index] += part[index + s];
    __syncthreads();
  }
  if (tid == 0)
    x[0] = part[0];
}

__device__ void foldWarp(float* part, int tid) {
  part[tid] += part[tid + 32];
  part[tid] += part[tid + 16];
  part[tid] += part[tid + 8];
  part[tid] += part[tid + 4];
  part[tid] += part[tid + 2];
  part[tid] += part[tid + 1];
}

__global__ void unsynchronised(float* x) {
  __shared__ float part[256];
  const int tid = threadIdx.x;
  part[tid] = x[tid];
  __syncthreads();
  for (int s = blockDim.x / 2; s > 32; s >>= 1) {
    if (tid < s)
      part[tid] += part[tid + s];
    __syncthreads();
  }
  if (tid < 32)
    foldWarp(part, tid);
  if (tid == 0)
    x[0] = part[0];
}
