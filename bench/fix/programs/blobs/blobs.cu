// SPDX-License-Identifier: Apache-2.0
// Counts blobs in an image: threshold, opening (erosion, then dilation), labels, areas.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>
#include <cuda_runtime.h>

#define W 140
#define H 100
#define TX 20
#define TY 10

#define E(x) do { cudaError_t r = (x); if (r) { printf("%s: %s\n", #x, cudaGetErrorString(r)); exit(1); } } while (0)

__global__ void threshold(const unsigned char *grey, unsigned char *bin, int level)
{
    int x = blockIdx.x * TX + threadIdx.x, y = blockIdx.y * TY + threadIdx.y;
    if (x < W && y < H) {
        if (grey[y * W + x] > level)
            bin[y * W + x] = 1;
        else
            bin[y * W + x] = 0;
    }
}

// EROSION: all of the cross must be set. Otherwise: any of it.
template <bool EROSION>
__global__ void morph(const unsigned char *in, unsigned char *out)
{
    int x = blockIdx.x * TX + threadIdx.x, y = blockIdx.y * TY + threadIdx.y;
    if (x >= W || y >= H) return;
    unsigned char r = EROSION ? 1 : 0;
    for (int dy = -2; dy <= 2; dy++) {
        for (int dx = -2; dx <= 2; dx++) {
            if (abs(dx) + abs(dy) > 2) continue;
            int xx = x + dx, yy = y + dy;
            if (xx < 0 || yy < 0 || xx >= W || yy >= H) continue;
            unsigned char v = in[yy * W + xx];
            if (EROSION) {
                if (!v) { r = 0; break; }
            } else {
                if (v) { r = 1; break; }
            }
        }
    }
    out[y * W + x] = r;
}

__global__ void initLabels(const unsigned char *bin, int *label)
{
    int x = blockIdx.x * TX + threadIdx.x, y = blockIdx.y * TY + threadIdx.y;
    if (x >= W || y >= H) return;
    int i = y * W + x;
    label[i] = bin[i] ? i : -1;
}

// Takes the smallest label among the neighbours, then follows it as far as it goes.
__global__ void propagate(int *label, int *again)
{
    int x = blockIdx.x * TX + threadIdx.x, y = blockIdx.y * TY + threadIdx.y;
    if (x >= W || y >= H) return;
    int i = y * W + x;
    if (label[i] < 0) return;
    int best = label[i];
    if (x > 0 && label[i - 1] >= 0) best = min(best, label[i - 1]);
    if (x < W - 1 && label[i + 1] >= 0) best = min(best, label[i + 1]);
    if (y > 0 && label[i - W] >= 0) best = min(best, label[i - W]);
    if (y < H - 1 && label[i + W] >= 0) best = min(best, label[i + W]);
    while (label[best] < best)
        best = label[best];
    if (best < label[i]) {
        atomicMin(&label[label[i]], best);
        atomicMin(&label[i], best);
        *again = 1;
    }
}

__global__ void areas(const int *label, int *area)
{
    int x = blockIdx.x * TX + threadIdx.x, y = blockIdx.y * TY + threadIdx.y;
    if (x >= W || y >= H) return;
    int l = label[y * W + x];
    if (l < 0) return;
    atomicAdd(&area[l], 1);
}

static std::vector<unsigned char> openCpu(std::vector<unsigned char> b)
{
    for (int pass = 0; pass < 2; pass++) {
        std::vector<unsigned char> o(W * H);
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                bool all = true, any = false;
                for (int dy = -2; dy <= 2; dy++)
                    for (int dx = -2; dx <= 2; dx++) {
                        int xx = x + dx, yy = y + dy;
                        if (abs(dx) + abs(dy) > 2 || xx < 0 || yy < 0 || xx >= W || yy >= H) continue;
                        if (b[yy * W + xx]) any = true; else all = false;
                    }
                o[y * W + x] = pass == 0 ? all : any;
            }
        b = o;
    }
    return b;
}

int main()
{
    std::vector<unsigned char> grey(W * H, 30);
    unsigned s = 1;
    auto rnd = [&s](unsigned n) { s = s * 69069u + 5u; return (int)((s >> 12) % n); };
    for (int b = 0; b < 45; b++) {
        int cx = rnd(W), cy = rnd(H), rx = 2 + rnd(9), ry = 2 + rnd(7);
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                if ((x - cx) * (x - cx) * ry * ry + (y - cy) * (y - cy) * rx * rx < rx * rx * ry * ry)
                    grey[y * W + x] = 180;
    }
    for (int k = 0; k < 700; k++) grey[rnd(W * H)] = 220;

    unsigned char *dGrey, *dA, *dB;
    int *dLabel, *dArea, *dAgain;
    E(cudaMalloc(&dGrey, W * H));
    E(cudaMalloc(&dA, W * H));
    E(cudaMalloc(&dB, W * H));
    E(cudaMalloc(&dLabel, W * H * sizeof(int)));
    E(cudaMalloc(&dArea, W * H * sizeof(int)));
    E(cudaMalloc(&dAgain, sizeof(int)));
    E(cudaMemcpy(dGrey, grey.data(), W * H, cudaMemcpyHostToDevice));
    E(cudaMemset(dArea, 0, W * H * sizeof(int)));

    dim3 t(TX, TY), g((W + TX - 1) / TX, (H + TY - 1) / TY);
    threshold<<<g, t>>>(dGrey, dA, 100);
    morph<true><<<g, t>>>(dA, dB);
    morph<false><<<g, t>>>(dB, dA);
    initLabels<<<g, t>>>(dA, dLabel);
    int again = 1;
    while (again) {
        again = 0;
        E(cudaMemcpy(dAgain, &again, sizeof(int), cudaMemcpyHostToDevice));
        propagate<<<g, t>>>(dLabel, dAgain);
        E(cudaMemcpy(&again, dAgain, sizeof(int), cudaMemcpyDeviceToHost));
    }
    areas<<<g, t>>>(dLabel, dArea);
    std::vector<int> label(W * H), area(W * H);
    E(cudaMemcpy(label.data(), dLabel, W * H * sizeof(int), cudaMemcpyDeviceToHost));
    E(cudaMemcpy(area.data(), dArea, W * H * sizeof(int), cudaMemcpyDeviceToHost));

    // flood fill; a blob is named after its first pixel
    std::vector<unsigned char> bin(W * H);
    for (int i = 0; i < W * H; i++) bin[i] = grey[i] > 100;
    bin = openCpu(bin);
    std::vector<int> want(W * H, -1);
    int blobs = 0, largest = 0;
    for (int i = 0; i < W * H; i++) {
        if (!bin[i] || want[i] >= 0) continue;
        std::vector<int> todo(1, i);
        want[i] = i;
        int size = 0;
        while (!todo.empty()) {
            int p = todo.back(), x = p % W, y = p / W;
            todo.pop_back();
            size++;
            auto visit = [&](int q) { if (bin[q] && want[q] < 0) { want[q] = i; todo.push_back(q); } };
            if (x > 0) visit(p - 1);
            if (x < W - 1) visit(p + 1);
            if (y > 0) visit(p - W);
            if (y < H - 1) visit(p + W);
        }
        blobs++;
        if (size > largest) largest = size;
        if (area[i] != size) printf("area of blob at %d is %d, not %d\n", i, area[i], size);
    }
    bool ok = want == label;
    printf("%d blobs, largest %d pixels: %s\n", blobs, largest, ok ? "PASSED" : "FAILED");
    cudaFree(dGrey); cudaFree(dA); cudaFree(dB); cudaFree(dLabel); cudaFree(dArea); cudaFree(dAgain);
    return ok ? 0 : 1;
}
