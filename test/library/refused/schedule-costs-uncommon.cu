// expected: round the costs: their common multiple is above 65536
#include <heddle/schedule.cuh>

__global__ void refused() {
  heddle::scheduled_loop<heddle::cost_aging<257, 263>, 2>([] { return heddle::done; }, [] {},
                                                          [] {});
}

int main() {
  refused<<<1, 32>>>();
  return 0;
}
