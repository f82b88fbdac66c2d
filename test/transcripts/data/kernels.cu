__global__ void add(int* data, int value) { data[threadIdx.x] += value; }

__global__ void assembly(int* data) { asm volatile("wgmma.fence.sync.aligned;"); data[0] = 1; }

__device__ int elsewhere(int);

__global__ void missing(int* data) { data[0] = elsewhere(data[1]); }
