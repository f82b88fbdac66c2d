// SPDX-License-Identifier: Apache-2.0
// Virtual functions of objects made on the device, in local memory and by placement new in global
// memory.
#include <new>

#include "../check.h"

struct Shape {
  __host__ __device__ virtual ~Shape() {}
  __host__ __device__ virtual float area() const = 0;
  __host__ __device__ virtual int corners() const { return 0; }
};
struct Circle : Shape {
  float radius;
  __host__ __device__ explicit Circle(float r) : radius(r) {}
  __host__ __device__ float area() const override { return 3.0f * radius * radius; }
};
struct Box : Shape {
  float width, height;
  __host__ __device__ Box(float w, float h) : width(w), height(h) {}
  __host__ __device__ float area() const override { return width * height; }
  __host__ __device__ int corners() const override { return 4; }
};
struct Triangle : Box {
  __host__ __device__ Triangle(float w, float h) : Box(w, h) {}
  __host__ __device__ float area() const override { return 0.5f * Box::area(); }
  __host__ __device__ int corners() const override { return 3; }
};
struct Room {
  alignas(16) char bytes[32];
};

__host__ __device__ Shape* build(void* room, int i) {
  switch (i % 3) {
  case 0:
    return new (room) Circle(float(i));
  case 1:
    return new (room) Box(float(i), 2.0f);
  default:
    return new (room) Triangle(float(i), 4.0f);
  }
}

__global__ void construct(Room* rooms, Shape** shapes) {
  const int i = threadIdx.x;
  shapes[i] = build(&rooms[i], i);
}
__global__ void measure(Shape** shapes, float* out) {
  const int i = threadIdx.x, n = blockDim.x;
  Circle local(float(i) + 0.5f);
  Shape* other = i % 2 ? &local : shapes[n - 1 - i];
  out[i] = shapes[i]->area() + 1000.0f * float(shapes[i]->corners()) + other->area();
}

int main() {
  const int n = 96;
  DeviceArray<Room> rooms(n);
  DeviceArray<Shape*> shapes(n);
  DeviceArray<float> out(n);
  construct<<<1, n>>>(rooms, shapes);
  measure<<<1, n>>>(shapes, out);
  CHECK_LAUNCH();
  expectArray("out", out.read(), [](size_t i) {
    Room own, others;
    Circle local(float(i) + 0.5f);
    Shape* shape = build(&own, int(i));
    Shape* other = i % 2 ? &local : build(&others, n - 1 - int(i));
    return shape->area() + 1000.0f * float(shape->corners()) + other->area();
  });
  return finish();
}
