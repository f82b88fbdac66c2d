// RUN: %heddle fix %s --only split-branch --line 10 --unproven > %t && FileCheck-19 %s < %t

#define CHECK(call) do { if ((call) != cudaSuccess) return; } while (0)

template <typename T>
__global__ void pick(const int* kinds, T* out, int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int kind = kinds[i];
    switch (kind) {
    case 0:
      out[i] += T(1);
      break;
    case 1: case 2: out[i] *= T(3); break;
    case 3: {
      out[i] -= T(2);
      break;
    }
    }
    count[i] = kind;
  }
}

template <class T> void run(const int* kinds, T* out, int* count, cudaStream_t stream) {
  pick<T><<<8, 64, 0, stream>>>(kinds, out, count, 500);
  pick<<<8, 64>>>(kinds, out, count, 500);
  void* arguments[4] = {};
  CHECK(cudaLaunchKernel((void*)pick<T>, dim3(8), dim3(64), arguments, 0, stream));
}

void runAll(const int* kinds, float* x, int* y, int* count) {
  run(kinds, x, count, 0);
  run(kinds, y, count, 0);
}

// A kind that no case takes still counts: it is a way of its own.
// CHECK:      -template <typename T>
// CHECK-NEXT: +template <int Way, typename T>
// CHECK:           case 0:
// CHECK-NEXT: +      if (Way != 0)
// CHECK-NEXT: +        return;
// CHECK-NEXT:        out[i] += T(1);
// CHECK-NEXT:        break;
// CHECK-NEXT: -    case 1: case 2: out[i] *= T(3); break;
// CHECK-NEXT: +    case 1: case 2:
// CHECK-NEXT: +      if (Way != 1)
// CHECK-NEXT: +        return;
// CHECK-NEXT: +      out[i] *= T(3); break;
// CHECK-NEXT:      case 3: {
// CHECK-NEXT: +      if (Way != 2)
// CHECK-NEXT: +        return;
// CHECK-NEXT:        out[i] -= T(2);
// CHECK-NEXT:        break;
// CHECK-NEXT:      }
// CHECK-NEXT: +    default:
// CHECK-NEXT: +      if (Way != 3)
// CHECK-NEXT: +        return;
// CHECK:      -  pick<T><<<8, 64, 0, stream>>>(kinds, out, count, 500);
// CHECK-NEXT: -  pick<<<8, 64>>>(kinds, out, count, 500);
// CHECK-NEXT: +  pick<0, T><<<8, 64, 0, stream>>>(kinds, out, count, 500);
// CHECK-NEXT: +  pick<1, T><<<8, 64, 0, stream>>>(kinds, out, count, 500);
// CHECK-NEXT: +  pick<2, T><<<8, 64, 0, stream>>>(kinds, out, count, 500);
// CHECK-NEXT: +  pick<3, T><<<8, 64, 0, stream>>>(kinds, out, count, 500);
// CHECK-NEXT: +  pick<0><<<8, 64>>>(kinds, out, count, 500);
// CHECK:      +  CHECK(cudaLaunchKernel((void*)pick<0, T>, dim3(8), dim3(64), arguments, 0, stream));
// CHECK:      +  CHECK(cudaLaunchKernel((void*)pick<3, T>, dim3(8), dim3(64), arguments, 0, stream));
