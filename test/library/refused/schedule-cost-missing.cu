// expected: cost_aging needs one cost for each way
#include <heddle/schedule.cuh>

__global__ void refused() {
  heddle::scheduled_loop<heddle::cost_aging<1, 2>, 3>([] { return heddle::done; }, [] {}, [] {},
                                                      [] {});
}

int main() {
  refused<<<1, 32>>>();
  return 0;
}
