__global__ void k(int* data) { data[thread] = 1; }

int main() { k<<<1, 32>>>(nullptr); }
