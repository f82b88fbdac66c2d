// expected: a state is copied word by word: make it trivially copyable
#include <heddle/regroup.cuh>

struct State {
  __device__ State() {}
  __device__ State(const State&) {}
  int value;
};

__global__ void refused() {
  State state;
  heddle::regrouped_loop<32, 2, State>(
      state, [](State&) { return heddle::done; }, [](State&) {}, [](State&) {});
}

int main() {
  refused<<<1, 32>>>();
  return 0;
}
