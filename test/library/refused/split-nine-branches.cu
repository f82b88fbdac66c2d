// expected: heddle: split_by_partition takes 2 to 8 branches
#include <heddle/split.cuh>

struct Decide {
  __device__ bool operator()(unsigned) const { return true; }
};
struct Branch {
  __device__ void operator()(unsigned) const {}
};

int main() {
  heddle::split_by_partition(cudaStream_t{}, 1, Decide{}, Branch{}, Branch{}, Branch{}, Branch{},
                             Branch{}, Branch{}, Branch{}, Branch{}, Branch{});
}
