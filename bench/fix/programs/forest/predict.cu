// SPDX-License-Identifier: Apache-2.0
// Random forest inference. The model is read from a file: predict [model.txt]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include "forest.h"

#define MAX_CLASSES 8

#define ERR(call)                                                       \
    if (cudaError_t err = (call)) {                                     \
        std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(err)); \
        std::exit(1);                                                   \
    }

__global__ void predict(const TreeNode *nodes, const int *root, int trees, const float *samples, int features,
                        int classes, int *label, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int votes[MAX_CLASSES];
    for (int c = 0; c < MAX_CLASSES; c++)
        votes[c] = 0;
    for (int t = 0; t < trees; t++)
        votes[walk_tree(nodes, root[t], samples + i * features)]++;
    int best = 0;
    for (int c = 1; c < classes; c++)
        if (votes[c] > votes[best])
            best = c;
    label[i] = best;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "model.txt";
    Forest f;
    if (!load_forest(path, f) || f.classes > MAX_CLASSES) {
        std::fprintf(stderr, "cannot read the model %s\n", path);
        return 1;
    }
    const int n = 8000;
    std::vector<float> samples((size_t)n * f.features);
    unsigned s = 5;
    for (float &v : samples) {
        s = s * 1664525u + 1013904223u;
        float u = (s >> 8) / 16777216.0f;
        v = u * u; // most samples are in the corner, where the trees are shallow
    }

    TreeNode *d_nodes;
    int *d_root, *d_label;
    float *d_samples;
    ERR(cudaMalloc(&d_nodes, f.nodes.size() * sizeof(TreeNode)));
    ERR(cudaMalloc(&d_root, f.root.size() * sizeof(int)));
    ERR(cudaMalloc(&d_label, n * sizeof(int)));
    ERR(cudaMalloc(&d_samples, samples.size() * sizeof(float)));
    ERR(cudaMemcpy(d_nodes, f.nodes.data(), f.nodes.size() * sizeof(TreeNode), cudaMemcpyHostToDevice));
    ERR(cudaMemcpy(d_root, f.root.data(), f.root.size() * sizeof(int), cudaMemcpyHostToDevice));
    ERR(cudaMemcpy(d_samples, samples.data(), samples.size() * sizeof(float), cudaMemcpyHostToDevice));

    auto t0 = std::chrono::steady_clock::now();
    predict<<<(n + 127) / 128, 128>>>(d_nodes, d_root, (int)f.root.size(), d_samples, f.features, f.classes, d_label, n);
    ERR(cudaDeviceSynchronize());
    double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();

    std::vector<int> label(n);
    ERR(cudaMemcpy(label.data(), d_label, n * sizeof(int), cudaMemcpyDeviceToHost));
    int wrong = 0, count[MAX_CLASSES] = {0};
    for (int i = 0; i < n; i++) {
        int votes[MAX_CLASSES] = {0}, best = 0;
        for (int r : f.root)
            votes[walk_tree(f.nodes.data(), r, &samples[(size_t)i * f.features])]++;
        for (int c = 1; c < f.classes; c++)
            if (votes[c] > votes[best])
                best = c;
        wrong += best != label[i];
        count[label[i]]++;
    }
    std::printf("%zu trees, %zu nodes, %d samples\n", f.root.size(), f.nodes.size(), n);
    for (int c = 0; c < f.classes; c++)
        std::printf("  class %d: %d\n", c, count[c]);
    std::printf("inference: %.3f ms, %.0f samples/s\n", ms, n / ms * 1e3);
    std::printf(wrong ? "%d samples are WRONG\n" : "all labels verified\n", wrong);
    cudaFree(d_nodes);
    cudaFree(d_root);
    cudaFree(d_label);
    cudaFree(d_samples);
    return wrong != 0;
}
