// expected: heddle: device_reduce takes types that are trivial to copy and to construct
#include <heddle/device_reduce.cuh>

struct Named {
  Named() : id(1) {}
  int id;
};
struct Pick {
  __device__ Named operator()(Named a, Named) const { return a; }
};

int main() {
  Named* out = nullptr;
  return heddle::device_reduce(out, 1, out, Pick(), Named(), nullptr, cudaStream_t());
}
