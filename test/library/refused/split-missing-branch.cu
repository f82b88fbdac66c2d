// expected: heddle: for_each_way takes one branch for each way of the partition
#include <heddle/split.cuh>

struct Branch {
  __device__ void operator()(unsigned) const {}
};

int main() {
  heddle::for_each_way(cudaStream_t{}, heddle::partition<3>{}, Branch{}, Branch{});
}
