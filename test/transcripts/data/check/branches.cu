// Branches that part the lanes of a warp.
__global__ void remainder(float* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 0)
    x[i] = 1;
  else
    x[i] += 2;
}

__global__ void firstFew(float* x) {
  if (threadIdx.x < 5)
    x[threadIdx.x] = 0;
}

__global__ void byLane(float* x, int n) {
  const int lane = threadIdx.x & 31;
  const int half = lane >> 4;
  if (n > 0 && half == 1)
    x[threadIdx.x] *= 2;
  switch (threadIdx.x & 3) {
  case 0:
    x[threadIdx.x] = 1;
    break;
  case 1:
    x[threadIdx.x] += 2;
    break;
  }
}

__global__ void triangle(float* x) {
  for (int j = 0; j < threadIdx.x; ++j)
    x[threadIdx.x] += j;
}

__global__ void loneLoop(float* x, int n) {
  if (threadIdx.x == 0)
    for (int i = 1; i < n; ++i)
      x[0] += x[i];
}

__device__ bool isOdd(int i) {
  return i % 2 != 0;
}

__global__ void called(float* x) {
  const bool odd = isOdd(threadIdx.x);
  if (odd)
    x[threadIdx.x] = 0;
}
