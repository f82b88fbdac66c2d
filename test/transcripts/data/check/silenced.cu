__global__ void halves(float* x) {
  if (threadIdx.x % 2 == 0) // heddle: ignore
    x[threadIdx.x] = 1;
  if (threadIdx.x % 2 == 1)
    x[threadIdx.x] = 2;
}
