// SPDX-License-Identifier: Apache-2.0
/* Smith-Waterman of one query against a database of sequences of very different lengths. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>
#include <string>
#include <cuda_runtime.h>
#include "score.h"

static const char BASES[] = "ACGT";

__global__ void align_all(const char *query, int qlen, const char *db, const int *start, int *score, int n)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s < n)
        score[s] = sw_score(query, qlen, db + start[s], start[s + 1] - start[s]);
}

__global__ void top_hit(const int *score, int n, int *best)
{
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        int b = 0;
        for (int i = 1; i < n; i++)
            if (score[i] > score[b])
                b = i;
        *best = b;
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    const int n = 256;
    srand(42);
    std::string query;
    for (int i = 0; i < 48; i++)
        query += BASES[rand() % 4];
    std::string db;
    std::vector<int> start(1, 0);
    for (int s = 0; s < n; s++) {
        int len = 10 + rand() % 60;
        if (s % 16 == 7)
            len += 200;
        std::string seq;
        for (int i = 0; i < len; i++)
            seq += BASES[rand() % 4];
        if (s % 5 == 0) { /* hide a piece of the query, with a mistake */
            int from = rand() % 20, at = rand() % (len / 2);
            for (int i = 0; i < 24 && at + i < len; i++)
                seq[at + i] = i == 9 ? 'A' : query[from + i];
        }
        db += seq;
        start.push_back((int)db.size());
    }

    char *d_query, *d_db;
    int *d_start, *d_score, *d_best;
    if (cudaMalloc(&d_query, query.size()) || cudaMalloc(&d_db, db.size()) || cudaMalloc(&d_start, (n + 1) * sizeof(int)) ||
        cudaMalloc(&d_score, n * sizeof(int)) || cudaMalloc(&d_best, sizeof(int))) {
        fprintf(stderr, "%s: out of device memory\n", argv[0]);
        return 1;
    }
    cudaMemcpy(d_query, query.data(), query.size(), cudaMemcpyHostToDevice);
    cudaMemcpy(d_db, db.data(), db.size(), cudaMemcpyHostToDevice);
    cudaMemcpy(d_start, start.data(), (n + 1) * sizeof(int), cudaMemcpyHostToDevice);

    cudaEvent_t t0, t1;
    cudaEventCreate(&t0);
    cudaEventCreate(&t1);
    cudaEventRecord(t0, 0);
    align_all<<<(n + 63) / 64, 64>>>(d_query, (int)query.size(), d_db, d_start, d_score, n);
    top_hit<<<1, 32>>>(d_score, n, d_best);
    cudaEventRecord(t1, 0);
    cudaEventSynchronize(t1);
    float ms = 0;
    cudaEventElapsedTime(&ms, t0, t1);

    std::vector<int> score(n);
    int best = -1;
    cudaMemcpy(score.data(), d_score, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(&best, d_best, sizeof(int), cudaMemcpyDeviceToHost);
    if (cudaGetLastError() != cudaSuccess || best < 0 || best >= n) {
        fprintf(stderr, "%s: failed\n", argv[0]);
        return 1;
    }

    int wrong = 0;
    long sum = 0;
    for (int s = 0; s < n; s++) {
        int want = sw_score(query.data(), (int)query.size(), db.data() + start[s], start[s + 1] - start[s]);
        if (want != score[s])
            wrong++;
        sum += score[s];
    }
    printf("best hit: sequence %d, score %d; sum of scores %ld\n", best, score[best], sum);
    printf("%.3f ms, %.4f GCUPS\n", ms, (double)query.size() * db.size() / (ms * 1e6));
    printf("%s\n", wrong ? "MISMATCH" : "OK");
    cudaFree(d_query);
    cudaFree(d_db);
    cudaFree(d_start);
    cudaFree(d_score);
    cudaFree(d_best);
    return wrong ? 1 : 0;
}
