// expected: a regrouped loop has 1 to 8 ways
#include <heddle/regroup.cuh>

struct State {
  int value;
};

__global__ void refused() {
  State state{};
  heddle::regrouped_loop<32, 9, State>(
      state, [](State&) { return heddle::done; }, [](State&) {}, [](State&) {});
}

int main() {
  refused<<<1, 32>>>();
  return 0;
}
