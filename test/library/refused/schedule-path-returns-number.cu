// expected: a path returns nothing or a heddle::flow
#include <heddle/schedule.cuh>

__global__ void refused() {
  heddle::scheduled_loop<heddle::aging, 2>([] { return heddle::done; }, [] { return 1; }, [] {});
}

int main() {
  refused<<<1, 32>>>();
  return 0;
}
