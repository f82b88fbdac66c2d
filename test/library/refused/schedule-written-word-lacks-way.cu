// expected: a word names every way of the loop and no other
#include <heddle/schedule.cuh>

__global__ void refused() {
  heddle::scheduled_loop<heddle::word<0, 1, 1>, 3>([] { return heddle::done; }, [] {}, [] {},
                                                    [] {});
}

int main() {
  refused<<<1, 32>>>();
  return 0;
}
