// expected: a cost is a whole number above 0
#include <heddle/schedule.cuh>

__global__ void refused() {
  heddle::scheduled_loop<heddle::cost_aging<0, 2>, 2>([] { return heddle::done; }, [] {}, [] {});
}

int main() {
  refused<<<1, 32>>>();
  return 0;
}
