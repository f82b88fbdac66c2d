// expected: heddle: a value that travels between lanes is trivially copyable
#include <heddle/rows.cuh>

struct Named {
  __device__ Named() : id(1) {}
  __device__ Named(const Named& other) : id(other.id) {}
  int id;
};

__global__ void kernel(int* out) {
  Named named;
  heddle::share_rows<8>(0, 5, heddle::own(named),
                        [&](int k, const Named& named) { out[k] = named.id; });
}

int main() {}
