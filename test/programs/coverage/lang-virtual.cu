// SPDX-License-Identifier: Apache-2.0
// COVERS: virtual functions, device new
// Shapes with virtual functions, made on the device by a factory and called by other kernels.
#include <cstdio>
#include <cstdlib>

class Shape {
public:
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const = 0;
  __device__ virtual bool contains(int x, int y) const = 0;
  __device__ virtual const char* name() const { return "shape"; }
};

class Rectangle : public Shape {
public:
  __device__ Rectangle(int w, int h) : w_(w), h_(h) {}
  __device__ int area() const override { return w_ * h_; }
  __device__ bool contains(int x, int y) const override {
    return x >= 0 && y >= 0 && x < w_ && y < h_;
  }
  __device__ const char* name() const override { return "rectangle"; }

protected:
  int w_, h_;
};

class Square final : public Rectangle {
public:
  __device__ explicit Square(int a) : Rectangle(a, a) {}
  __device__ const char* name() const override { return "square"; }
};

class Disc : public Shape {
public:
  __device__ explicit Disc(int r) : r_(r) {}
  __device__ int area() const override { return 3 * r_ * r_; }
  __device__ bool contains(int x, int y) const override { return x * x + y * y <= r_ * r_; }

private:
  int r_;
};

__global__ void create(Shape** shapes, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    switch (i % 3) {
    case 0:
      shapes[i] = new Rectangle(i + 1, 2);
      break;
    case 1:
      shapes[i] = new Square(i + 1);
      break;
    default:
      shapes[i] = new Disc(i + 1);
    }
}

__global__ void ask(Shape** shapes, int n, int* areas, int* hits, char* letters) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  areas[i] = shapes[i]->area();
  int h = 0;
  for (int y = -2; y < 3; ++y)
    for (int x = -2; x < 3; ++x)
      h += shapes[i]->contains(x, y);
  hits[i] = h;
  letters[i] = shapes[i]->name()[1];
}

__global__ void destroy(Shape** shapes, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    delete shapes[i];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100;
  Shape** shapes;
  int *areas, *hits;
  char* letters;
  if (cudaMalloc(&shapes, n * sizeof(Shape*)) || cudaMallocManaged(&areas, n * 4) ||
      cudaMallocManaged(&hits, n * 4) || cudaMallocManaged(&letters, n))
    return puts("FAIL"), 1;
  create<<<1, 64>>>(shapes, n);
  ask<<<(n + 31) / 32, 32>>>(shapes, n, areas, hits, letters);
  destroy<<<1, 64>>>(shapes, n);
  cudaError_t e = cudaDeviceSynchronize();
  int bad = e != cudaSuccess;
  for (int i = 0; i < n; ++i) {
    int a = i + 1, kind = i % 3, area = kind == 0 ? a * 2 : kind == 1 ? a * a : 3 * a * a, h = 0;
    for (int y = -2; y < 3; ++y)
      for (int x = -2; x < 3; ++x)
        h += kind == 2 ? x * x + y * y <= a * a : x >= 0 && y >= 0 && x < a && y < (kind ? a : 2);
    bad += areas[i] != area || hits[i] != h || letters[i] != "eqh"[kind];
  }
  cudaFree(shapes), cudaFree(areas), cudaFree(hits), cudaFree(letters);
  printf("%s, %d wrong\n%s\n", cudaGetErrorString(e), bad, bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
