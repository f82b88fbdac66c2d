// Branches that part no warp, or few: nothing to say.
__global__ void guard(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  x[i] = 1;
}

__global__ void tile(float* x, int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < width && row < height)
    x[row * width + column] = 1;
}

__global__ void gridStride(float* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    x[i] = 1;
}

__global__ void warpStride(float* x, const int* begin) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  for (int i = begin[warp] + lane; i < begin[warp + 1]; i += 32)
    x[i] = 1;
}

__global__ void byWarp(float* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x / 32 % 2 == 0)
    x[i] = 1;
  if (threadIdx.x < 64)
    x[i] = 2;
  if (i >> 5 & 1)
    x[i] = 3;
  if (threadIdx.y % 2 == 0)
    x[i] = 4;
}

__global__ void leaders(float* x, float sum) {
  if (threadIdx.x == 0)
    x[blockIdx.x] = sum;
  if (threadIdx.x % 32 == 0)
    x[threadIdx.x / 32] = sum;
}

__global__ void selected(float* x) {
  float value = x[threadIdx.x];
  if (threadIdx.x % 2 == 0)
    value = -value;
  x[threadIdx.x] = value;
}

__global__ void warpScan(int* x) {
  const int lane = threadIdx.x % 32;
  int sum = x[threadIdx.x];
  for (int offset = 1; offset < 32; offset *= 2) {
    const int other = __shfl_up_sync(~0u, sum, offset);
    if (lane >= offset)
      sum += other;
  }
  x[threadIdx.x] = sum;
}

__global__ void fromData(float* x) {
  if (x[threadIdx.x] > 0)
    x[threadIdx.x] = 0;
}
