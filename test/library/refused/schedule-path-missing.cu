// expected: give one path for each way, and at most one part to run after them
#include <heddle/schedule.cuh>

__global__ void refused() {
  heddle::scheduled_loop<heddle::aging, 3>([] { return heddle::done; }, [] {}, [] {});
}

int main() {
  refused<<<1, 32>>>();
  return 0;
}
