// expected: the states of a block must fit into 48 KiB of shared memory: use smaller blocks
#include <heddle/regroup.cuh>

struct State {
  int values[16];
};

__global__ void refused() {
  State state{};
  heddle::regrouped_loop<1024, 2, State>(
      state, [](State&) { return heddle::done; }, [](State&) {}, [](State&) {});
}

int main() {
  refused<<<1, 32>>>();
  return 0;
}
