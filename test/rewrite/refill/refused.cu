// RUN: %refused fix %s --only refill --block 64,1,1 --unproven > %t
// RUN: FileCheck-19 %s < %t
// SPDX-License-Identifier: Apache-2.0
//
// One of each kind, in the order of the source.
#define LEAVE_IF(condition) if (condition) return

__device__ int own() { return threadIdx.x; }

__device__ int bumps;
__device__ int bump() { return ++bumps; }

__global__ void choices(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: :[[#@LINE+1]]: refill refused: the branch is no loop, and leaves none [no-loop-of-item]
  if (in[i] > 3)
    // CHECK: :[[#@LINE+1]]: refill refused: line [[#@LINE+4]] runs also for threads that do not reach the branch [code-behind]
    for (int k = 0; k < in[i]; ++k)
      // CHECK: :[[#@LINE+1]]: refill refused: the loop in line [[#@LINE-1]] does not go over items in strides of the grid [not-top-level]
      for (int j = 0; j < in[k]; ++j) out[i] += j;
  out[i] = 9;
}

__global__ void nested(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  switch (in[i]) {
  case 1:
    // CHECK: :[[#@LINE+1]]: refill refused: the branch stands inside the statement of line [[#@LINE-2]] [not-top-level]
    while (out[i] < 9) out[i] += 2;
  }
}

__global__ void changed(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: :[[#@LINE+1]]: refill refused: line [[#@LINE+1]] may change in, declared in line [[#@LINE-2]] [changes-outside]
  while (*in < 9) ++in;
  out[i] = *in;
}

__global__ void called(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: :[[#@LINE+1]]: refill refused: line [[#@LINE+1]] calls own, which uses threadIdx or blockIdx [thread-index-inside]
  while (out[i] < 9) out[i] += own() + 1;
}

__global__ void strided(const int* in, int* out, int n, int* count) {
  const int mine = in[threadIdx.x];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    // CHECK: :[[#@LINE+1]]: refill refused: line [[#@LINE+1]] asks for the thread or block, and another thread may run it [thread-index-inside]
    while (out[i] < 9) out[i] += threadIdx.x;
  }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    // CHECK: :[[#@LINE+1]]: refill refused: line [[#@LINE+1]] uses mine, which line [[#@LINE-6]] sets, and which is not proven to be the same for all threads of a block [value-of-thread]
    while (out[i] < 9) out[i] += mine;
  }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    // CHECK: :[[#@LINE+1]]: refill refused: line [[#@LINE+2]] ends the loop over items [ends-loop]
    while (out[i] < 9) out[i] += 2;
    if (out[i] == 10) break;
  }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    // CHECK: :[[#@LINE+1]]: refill refused: what stands around the loop in line [[#@LINE-1]] is the block's own, and other blocks would take items of it [value-of-block]
    while (out[i] < 9) out[i] += 2;
  }
  out[threadIdx.x] = 1;
}

__global__ void ofBlock(const int* in, int* out, int n) {
  const int step = blockIdx.x + 1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    // CHECK: :[[#@LINE+1]]: refill refused: what stands around the loop in line [[#@LINE-1]] is the block's own, and other blocks would take items of it [value-of-block]
    while (out[i] < 9) out[i] += step;
  }
}

__global__ void leaving(const int* in, int* out, int n) {
  if (blockIdx.x > 3) return;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    // CHECK: :[[#@LINE+1]]: refill refused: what stands around the loop in line [[#@LINE-1]] is the block's own, and other blocks would take items of it [value-of-block]
    while (out[i] < 9) out[i] += 2;
  }
}

__global__ void counted(const int* in, int* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < bump(); i += gridDim.x * blockDim.x) {
    // CHECK: :[[#@LINE+1]]: refill refused: the bound in line [[#@LINE-1]] changes something [side-effects-before]
    while (out[i] < 9) out[i] += 2;
  }
}

__global__ void early(const int* in, int* out, int n) {
  __shared__ int table[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[threadIdx.x] == 3) return;
  table[threadIdx.x] = n;
  __syncthreads();
  // CHECK: :[[#@LINE+1]]: refill refused: some threads of a block return in line [[#@LINE-3]], and would not come to its barrier [divergent-entry]
  while (out[i] < 9) out[i] += table[i & 63];
}

__global__ void shared(const int* in, int* out) {
  __shared__ int scratch[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: :[[#@LINE+1]]: refill refused: line [[#@LINE+2]] writes scratch, which is shared by the block [shared-memory-inside]
  while (out[i] < 9) {
    scratch[threadIdx.x] = in[i];
    out[i] += scratch[threadIdx.x];
  }
}

__global__ void names(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = in[i] & 7;
  // CHECK: :[[#@LINE+1]]: refill refused: line [[#@LINE-1]] and line [[#@LINE+2]] both declare x [names-twice]
  while (x < 9) {
    int x = in[i];
    out[i] += x;
  }
}

__global__ void references(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int& place = out[i];
  // CHECK: :[[#@LINE+1]]: refill refused: line [[#@LINE-1]] declares place, a reference, which cannot be set later [unhoistable-declaration]
  while (place < 9) place += 2;
  // CHECK: :[[#@LINE+1]]: refill refused: the loop's condition declares next [unhoistable-declaration]
  while (int next = in[i] - out[i]) out[i] += next;
}

__global__ void macros(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  LEAVE_IF(in[i] == 3);
  // CHECK: :[[#@LINE+1]]: refill refused: line [[#@LINE-1]] leaves the loop's body in a macro [macro-in-the-way]
  while (out[i] < 9) out[i] += 2;
}

__global__ void preprocessed(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef NEVER
  if (in[i] == 7) return;
#endif
  // CHECK: :[[#@LINE+1]]: refill refused: there are lines for the preprocessor around the loop of line [[#@LINE+1]] [macro-in-the-way]
  while (out[i] < 9) out[i] += 2;
}

__global__ void hidden(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = in[i] & 7;
  // CHECK: :[[#@LINE+1]]: refill refused: line [[#@LINE-1]] and line [[#@LINE+3]] both declare x [names-twice]
  while (x < 9) {
    if (in[++x] == 3) {
      int x = in[i];
      out[i] += x;
      continue;
    }
    out[i] ^= x;
  }
}
