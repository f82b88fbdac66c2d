// expected: a block is a whole number of warps, at most 1024 threads
#include <heddle/regroup.cuh>

struct State {
  int value;
};

__global__ void refused() {
  State state{};
  heddle::regrouped_loop<48, 2, State>(
      state, [](State&) { return heddle::done; }, [](State&) {}, [](State&) {});
}

int main() {
  refused<<<1, 32>>>();
  return 0;
}
