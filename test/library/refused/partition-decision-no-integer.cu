// expected: heddle: a decision returns the number of a way, an integer or bool
#include <heddle/partition.cuh>

struct Decide {
  __device__ float operator()(unsigned) const { return 0.5f; }
};

int main() {
  heddle::partition<2> parts;
  heddle::make_partition(cudaStream_t{}, 1, Decide{}, nullptr, parts);
}
