// SPDX-License-Identifier: Apache-2.0
// Solves the sudokus of a file, a thread each, by backtracking.   sudoku puzzles.txt
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#include <cuda_runtime.h>

#define N 9
#define CELLS 81

#define CUDA_CHECK(x) \
    { cudaError_t c = (x); if (c != cudaSuccess) { fprintf(stderr, "%s\n", cudaGetErrorString(c)); exit(1); } }

__host__ __device__ bool allowed(const char *grid, int cell, char digit)
{
    int row = cell / N, col = cell % N;
    for (int i = 0; i < N; i++) {
        if (grid[row * N + i] == digit)
            return false;
        if (grid[i * N + col] == digit)
            return false;
    }
    int r0 = row / 3 * 3, c0 = col / 3 * 3;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (grid[(r0 + i) * N + c0 + j] == digit)
                return false;
    return true;
}

// Goes forward over the empty cells and back where no digit fits. Returns the number of digits set, 0 if unsolvable.
__device__ int solve(char *grid)
{
    unsigned char empty[CELLS];
    int holes = 0, tries = 0;
    for (int c = 0; c < CELLS; c++)
        if (grid[c] == 0)
            empty[holes++] = (unsigned char)c;
    int at = 0;
    while (at >= 0 && at < holes) {
        int cell = empty[at];
        char digit = grid[cell] + 1;
        grid[cell] = 0;
        while (digit <= N && !allowed(grid, cell, digit))
            digit++;
        if (digit <= N) {
            grid[cell] = digit;
            tries++;
            at++;
        } else
            at--;
    }
    return at < 0 ? 0 : tries;
}

__global__ void solve_all(char *grids, const int *valid, int *tries, int n)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n)
        return;
    if (!valid[p]) {
        tries[p] = 0;
        return;
    }
    char mine[CELLS];
    for (int c = 0; c < CELLS; c++)
        mine[c] = grids[p * CELLS + c];
    tries[p] = solve(mine);
    for (int c = 0; c < CELLS; c++)
        grids[p * CELLS + c] = mine[c];
}

static bool consistent(const char *g)
{
    char copy[CELLS];
    memcpy(copy, g, CELLS);
    for (int c = 0; c < CELLS; c++) {
        char d = copy[c];
        if (!d)
            continue;
        copy[c] = 0;
        if (!allowed(copy, c, d))
            return false;
        copy[c] = d;
    }
    return true;
}

int main(int argc, char **argv)
{
    FILE *f = fopen(argc > 1 ? argv[1] : "puzzles.txt", "r");
    if (!f) {
        perror("puzzles");
        return 2;
    }
    std::vector<char> grids;
    std::vector<int> valid;
    char line[256];
    while (fgets(line, sizeof(line), f)) {
        if (strlen(line) < CELLS || line[0] == '#')
            continue;
        for (int c = 0; c < CELLS; c++)
            grids.push_back(line[c] >= '1' && line[c] <= '9' ? line[c] - '0' : 0);
        valid.push_back(consistent(&grids[grids.size() - CELLS]));
    }
    fclose(f);
    int n = (int)valid.size();
    if (n == 0)
        return 2;

    char *d_grids;
    int *d_valid, *d_tries;
    CUDA_CHECK(cudaMalloc(&d_grids, grids.size()));
    CUDA_CHECK(cudaMalloc(&d_valid, n * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&d_tries, n * sizeof(int)));
    CUDA_CHECK(cudaMemcpy(d_grids, grids.data(), grids.size(), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_valid, valid.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    solve_all<<<(n + 31) / 32, 32>>>(d_grids, d_valid, d_tries, n);
    std::vector<char> solved(grids.size());
    std::vector<int> tries(n);
    CUDA_CHECK(cudaMemcpy(solved.data(), d_grids, grids.size(), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(tries.data(), d_tries, n * sizeof(int), cudaMemcpyDeviceToHost));

    int good = 0, skipped = 0, bad = 0;
    long total = 0;
    for (int p = 0; p < n; p++) {
        if (!valid[p]) {
            skipped++;
            continue;
        }
        bool ok = tries[p] > 0 && consistent(&solved[p * CELLS]);
        for (int c = 0; c < CELLS; c++) {
            char was = grids[p * CELLS + c], is = solved[p * CELLS + c];
            if (is < 1 || is > N || (was && was != is))
                ok = false;
        }
        if (ok)
            good++;
        else
            bad++;
        total += tries[p];
    }
    printf("%d puzzles: %d solved, %d not valid, %d failed; %ld digits tried\n", n, good, skipped, bad, total);
    printf("first: %.9s\n", [&] { static char t[10]; for (int i = 0; i < 9; i++) t[i] = solved[i] + '0'; return t; }());
    cudaFree(d_grids);
    cudaFree(d_valid);
    cudaFree(d_tries);
    return bad != 0;
}
