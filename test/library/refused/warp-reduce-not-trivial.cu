// expected: heddle: warp_reduce takes types that are trivial to copy and to construct
#include <heddle/warp_reduce.cuh>

struct Named {
  Named() : id(1) {}
  int id;
};
struct Pick {
  __device__ Named operator()(Named a, Named) const { return a; }
};
__global__ void kernel(int* out) {
  *out = heddle::warp_reduce(Named(), Pick()).id;
}

int main() {}
