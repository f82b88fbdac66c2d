// SPDX-License-Identifier: Apache-2.0
// Finds patterns in a text file: grep text.txt pattern...
#include <cuda_runtime.h>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>
#include "match.h"

#define MAX_PATTERNS 8
#define MAX_LENGTH 32
#define REPEAT 24

__constant__ char c_pattern[MAX_PATTERNS][MAX_LENGTH];
__constant__ int c_length[MAX_PATTERNS];

__global__ void to_lower(char *text, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        text[i] = lower(text[i]);
}

__global__ void search(const char *text, int n, int patterns, int *count, int *first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (text[i] == ' ' || text[i] == '\n')
        return; // no pattern starts with a blank
    for (int p = 0; p < patterns; p++) {
        if (i + c_length[p] > n)
            continue;
        if (matches_at(text + i, c_pattern[p], c_length[p])) {
            atomicAdd(&count[p], 1);
            atomicMin(&first[p], i);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc > 2 + MAX_PATTERNS) {
        std::cerr << "usage: " << argv[0] << " FILE PATTERN...\n";
        return 2;
    }
    std::ifstream in(argv[1], std::ios::binary);
    if (!in) {
        std::cerr << "cannot open " << argv[1] << "\n";
        return 2;
    }
    std::string page((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    std::string text;
    for (int r = 0; r < REPEAT; r++)
        text += page;
    const int n = (int)text.size(), patterns = argc - 2;

    char pattern[MAX_PATTERNS][MAX_LENGTH] = {};
    int length[MAX_PATTERNS] = {};
    for (int p = 0; p < patterns; p++) {
        std::string s = argv[2 + p];
        if (s.empty() || s.size() >= MAX_LENGTH) {
            std::cerr << "pattern " << p << " is too long or empty\n";
            return 2;
        }
        for (size_t i = 0; i < s.size(); i++)
            pattern[p][i] = lower(s[i]);
        length[p] = (int)s.size();
    }

    char *d_text;
    int *d_count, *d_first;
    int count[MAX_PATTERNS] = {}, first[MAX_PATTERNS];
    for (int &f : first)
        f = n;
    cudaMalloc(&d_text, n);
    cudaMalloc(&d_count, sizeof(count));
    cudaMalloc(&d_first, sizeof(first));
    cudaMemcpy(d_text, text.data(), n, cudaMemcpyHostToDevice);
    cudaMemcpy(d_count, count, sizeof(count), cudaMemcpyHostToDevice);
    cudaMemcpy(d_first, first, sizeof(first), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(c_pattern, pattern, sizeof(pattern));
    cudaMemcpyToSymbol(c_length, length, sizeof(length));

    to_lower<<<(n + 255) / 256, 256>>>(d_text, n);
    search<<<(n + 255) / 256, 256>>>(d_text, n, patterns, d_count, d_first);
    cudaMemcpy(count, d_count, sizeof(count), cudaMemcpyDeviceToHost);
    cudaMemcpy(first, d_first, sizeof(first), cudaMemcpyDeviceToHost);
    if (cudaError_t e = cudaGetLastError()) {
        std::cerr << cudaGetErrorString(e) << std::endl;
        return 1;
    }

    for (char &c : text)
        c = lower(c);
    bool ok = true;
    for (int p = 0; p < patterns; p++) {
        int expected = 0;
        for (int i = 0; i + length[p] <= n; i++)
            if (text[i] != ' ' && text[i] != '\n' && matches_at(text.data() + i, pattern[p], length[p]))
                expected++;
        std::cout << "'" << argv[2 + p] << "': " << count[p] << " matches";
        if (count[p])
            std::cout << ", the first at " << first[p];
        std::cout << "\n";
        ok = ok && expected == count[p];
    }
    std::cout << n << " characters, " << (ok ? "as expected" : "MISCOUNTED") << std::endl;
    cudaFree(d_text);
    cudaFree(d_count);
    cudaFree(d_first);
    return ok ? 0 : 1;
}
