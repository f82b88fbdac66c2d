// expected: a scheduled loop has 2 to 8 ways
#include <heddle/schedule.cuh>

__global__ void refused() {
  heddle::scheduled_loop<heddle::aging, 1>([] { return heddle::done; }, [] {});
}

int main() {
  refused<<<1, 32>>>();
  return 0;
}
