// expected: heddle: split_by_test takes 2 to 8 branches
#include <heddle/split.cuh>

struct Decide {
  __device__ bool operator()(unsigned) const { return true; }
};
struct Branch {
  __device__ void operator()(unsigned) const {}
};

int main() {
  heddle::split_by_test(cudaStream_t{}, 1, Decide{}, Branch{});
}
