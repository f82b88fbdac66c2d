// RUN: %refused fix %s --only compact --block 64,1,1 --unproven > %t
// RUN: FileCheck-19 %s < %t
// SPDX-License-Identifier: Apache-2.0
//
// One of each kind, in the order of the source.
#define LEAVE_IF(condition) if (condition) return
#define MANY 24400

__device__ int own() { return threadIdx.x; }
__device__ void fill(float* table) { table[threadIdx.x] = blockIdx.x; }

__global__ void choices(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: :[[#@LINE+1]]: compact refused: the branch is no if [not-a-choice]
  out[i] = in[i] > 0 ? 1 : 2;
  // CHECK: :[[#@LINE+1]]: compact refused: line [[#@LINE+2]] adds floating-point numbers behind the branch, which the compiler may fuse with a product of a way once they stand together [code-behind]
  if (in[i]) out[i] = 5;
  ((float*)out)[i] += 1;
  for (int k = 0; k < n; ++k)
    // CHECK: :[[#@LINE+1]]: compact refused: the loop in line [[#@LINE-1]] does not go over items in strides of the grid [not-top-level]
    if (in[k]) out[i] = 3;
  // CHECK: :[[#@LINE+1]]: compact refused: line [[#@LINE+1]] has nothing to do [no-work]
  if (in[i] == 3) return;
}

__global__ void changed(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  in += 64;
  // CHECK: :[[#@LINE+1]]: compact refused: line [[#@LINE-1]] may change in, declared in line [[#@LINE-3]] [changes-outside]
  if (in[i]) out[i] = 5;
}

__global__ void called(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: :[[#@LINE+1]]: compact refused: line [[#@LINE+1]] calls own, which uses threadIdx or blockIdx [thread-index-inside]
  if (in[i]) out[i] = own();
}

__global__ void strided(const int* in, int* out, int n) {
  const int own = in[threadIdx.x];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    // CHECK: :[[#@LINE+1]]: compact refused: line [[#@LINE+1]] asks for the thread or block, and another thread may run it [thread-index-inside]
    if (in[i]) out[i] = threadIdx.x;
  }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    // CHECK: :[[#@LINE+1]]: compact refused: line [[#@LINE+1]] uses own, which line [[#@LINE-6]] sets, and which is not proven to be the same for all threads of a block [value-of-thread]
    if (in[i]) out[i] = own;
  }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    // CHECK: :[[#@LINE+1]]: compact refused: line [[#@LINE+2]] ends the loop over items [ends-loop]
    if (in[i] < 0) continue;
    if (in[i] == 9) break;
    // CHECK: :[[#@LINE-1]]: compact refused: line [[#@LINE-1]] ends the loop over items [ends-loop]
    out[i] = 7;
  }
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    // CHECK: :[[#@LINE+1]]: compact refused: line [[#@LINE+1]] may change sum, declared in line [[#@LINE-2]] [changes-outside]
    if (in[i]) sum += in[i];
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    // CHECK: :[[#@LINE+1]]: compact refused: the loop in line [[#@LINE-1]] does not go over items in strides of the grid [not-top-level]
    if (in[i]) out[i] = sum;
  }
}

__global__ void early(const int* in, int* out, int n) {
  __shared__ int table[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: :[[#@LINE+1]]: compact refused: {{.*}}
  if (in[threadIdx.x] == 3) return;
  table[threadIdx.x] = n;
  __syncthreads();
  // CHECK: :[[#@LINE+1]]: compact refused: some threads of a block return in line [[#@LINE-3]], and would not come to its barrier [divergent-entry]
  if (in[i]) out[i] = table[i & 63];
}

__global__ void filled(const int* in, int* out) {
  __shared__ int table[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  table[threadIdx.x] = in[i];
  __syncthreads();
  // CHECK: :[[#@LINE+1]]: compact refused: line [[#@LINE-3]] uses blockIdx in front, and a block takes the items of others, too [value-of-block]
  if (in[i] == 1) out[i] = table[i & 63];
}

__global__ void filledElsewhere(const int* in, int* out) {
  __shared__ float table[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  fill(table);
  __syncthreads();
  // CHECK: :[[#@LINE+1]]: compact refused: line [[#@LINE-2]] calls fill, which may use blockIdx [value-of-block]
  if (in[i] == 1) out[i] = table[i & 63];
}

__global__ void shared(const int* in, int* out) {
  __shared__ int scratch[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: :[[#@LINE+1]]: compact refused: line [[#@LINE+2]] writes scratch, which is shared by the block [shared-memory-inside]
  if (in[i]) {
    scratch[threadIdx.x] = in[i];
    out[i] = scratch[threadIdx.x];
  }
}

__global__ void stored(const int* in, int* level, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int before = level[i];
  level[i] = 1;
  // CHECK: :[[#@LINE+1]]: compact refused: line [[#@LINE-1]] may write what line [[#@LINE-2]] reads, which the work needs once more [side-effects-before]
  if (in[i]) out[i] = before;
}

__global__ void counted(const int* in, int* level, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int before = level[i]++;
  // CHECK: :[[#@LINE+1]]: compact refused: line [[#@LINE-1]] may write memory, and the work needs it once more [side-effects-before]
  if (in[i]) out[i] = before;
}

__global__ void conditions(const int* in, int* level, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: :[[#@LINE+1]]: compact refused: the condition in line [[#@LINE+1]] changes something [side-effects-before]
  if (level[i]++ > 3) out[i] = 3;
}

__global__ void ticket(const int* in, int* next, int* out) {
  __shared__ int block;
  if (threadIdx.x == 0) block = atomicAdd(next, 1);
  // CHECK: :[[#@LINE-1]]: compact refused: {{.*}}
  __syncthreads();
  const int i = block * blockDim.x + threadIdx.x;
  // CHECK: :[[#@LINE+1]]: compact refused: line [[#@LINE-4]] uses the result of atomicAdd, which depends on the order of threads [atomic-result-used]
  if (in[i]) out[i] = 3;
}

__global__ void names(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = in[i] & 7;
  // CHECK: :[[#@LINE+1]]: compact refused: line [[#@LINE-1]] and line [[#@LINE+3]] both declare x [unhoistable-declaration]
  if (x > 3) {
    const int y = x;
    const int x = in[i] >> 3;
    out[i] = x + y;
  }
}

__global__ void macros(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: :[[#@LINE+1]]: compact refused: line [[#@LINE+2]] leaves the loop's body in a macro [macro-in-the-way]
  if (in[i] == 3) {
    LEAVE_IF(in[0]);
    return;
  }
  for (int k = 0; k < 9; ++k)
    out[i] ^= in[k] / 3;
}

__global__ void inSwitch(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  switch (in[i]) {
  case 1:
    // CHECK: :[[#@LINE+1]]: compact refused: the branch stands inside the statement of line [[#@LINE-2]] [not-top-level]
    if (out[i]) out[i] = 2;
  }
}

__global__ void inIf(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: :[[#@LINE+1]]: compact refused: the condition in line [[#@LINE+1]] changes something [side-effects-before]
  if (out[i]++ > 1) {
    // CHECK: :[[#@LINE+1]]: compact refused: the if of line [[#@LINE-1]] has an else, for threads that do not reach the branch [code-behind]
    if (out[i] == 2) out[i] = 3;
  } else {
    out[i] = 5;
  }
}

__device__ int limit;

__global__ void bounds(const int* in, int* count, int* out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < in[threadIdx.x]; i += gridDim.x * blockDim.x) {
    // CHECK: :[[#@LINE+1]]: compact refused: the bound in line [[#@LINE-1]] may differ between the threads of a block [thread-index-inside]
    if (in[i]) out[i] = 3;
  }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < *count; i += gridDim.x * blockDim.x) {
    // CHECK: :[[#@LINE+1]]: compact refused: the bound in line [[#@LINE-1]] reads memory that is not const, and may change [changes-outside]
    if (in[i]) out[i] = 3;
  }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < limit; i += gridDim.x * blockDim.x) {
    // CHECK: :[[#@LINE+1]]: compact refused: the bound in line [[#@LINE-1]] uses limit, which may change [changes-outside]
    if (in[i]) out[i] = 3;
  }
}

__global__ void changedTable(const int* in, int* out) {
  __shared__ int table[64];
  const int lane = threadIdx.x;
  table[lane] = in[lane];
  __syncthreads();
  const int before = table[63 - lane];
  __syncthreads();
  table[lane] = 2 * before;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + lane;
  // CHECK: :[[#@LINE+1]]: compact refused: line [[#@LINE+1]] uses before, which line [[#@LINE-5]] sets, and which is not proven to be the same for all threads of a block [value-of-thread]
  if (in[i] == 1) out[i] = table[i & 63] + before;
}

__global__ void behind(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: :[[#@LINE+1]]: compact refused: lines [[#@LINE+3]] to [[#@LINE+9]] run also for threads without work, and are too many to have twice [code-behind]
  if (in[i] == 1)
    out[i] = 3;
  out[i] ^= 1;
  out[i] ^= 2;
  out[i] ^= 3;
  out[i] ^= 4;
  out[i] ^= 5;
  out[i] ^= 6;
  out[i] ^= 7;
}

__global__ void preprocessed(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef NEVER
  if (in[i] == 7) return;
#endif
  // CHECK: :[[#@LINE+1]]: compact refused: there are lines for the preprocessor in front of the branch of line [[#@LINE+1]] [macro-in-the-way]
  if (in[i]) out[i] = 3;
}

__global__ void full(const int* in, int* out) {
  __shared__ char table[2 * MANY];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: :[[#@LINE+1]]: compact refused: the list's {{[0-9]+}} bytes and the kernel's own 48800 of shared memory are more than {{[0-9]+}} [list-too-large]
  if (in[i] == 1) out[i] = table[i];
}
