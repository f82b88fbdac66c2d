// SPDX-License-Identifier: Apache-2.0
// Batched Cholesky factorisation and solve of small systems, one block a matrix, one thread a row.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define DIM 24
#define BATCH 420

static void handle(cudaError_t e, const char *where)
{
    if (e == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", where, cudaGetErrorString(e));
    exit(EXIT_FAILURE);
}

// Lower triangle of L in place of A.
__global__ void cholesky(float *matrices, int *info)
{
    __shared__ float A[DIM][DIM + 1];
    __shared__ int failed;
    float *M = matrices + blockIdx.x * DIM * DIM;
    int row = threadIdx.x;

    for (int c = 0; c < DIM; c++)
        A[row][c] = M[row * DIM + c];
    if (row == 0)
        failed = 0;
    __syncthreads();

    for (int k = 0; k < DIM; k++) {
        if (row == k) {
            if (A[k][k] <= 0.0f)
                failed = k + 1;
            else
                A[k][k] = sqrtf(A[k][k]);
        }
        __syncthreads();
        if (failed)
            break;
        if (row > k)
            A[row][k] /= A[k][k];
        __syncthreads();
        // what is left of the triangle
        for (int c = k + 1; c <= row; c++)
            A[row][c] -= A[row][k] * A[c][k];
        __syncthreads();
    }
    for (int c = 0; c <= row; c++)
        M[row * DIM + c] = A[row][c];
    if (row == 0)
        info[blockIdx.x] = failed;
}

// L L^T x = b. The first thread goes down and up again by itself.
__global__ void solve(const float *matrices, const int *info, const float *b, float *x)
{
    const float *L = matrices + blockIdx.x * DIM * DIM;
    __shared__ float y[DIM];
    y[threadIdx.x] = b[blockIdx.x * DIM + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0 && info[blockIdx.x] == 0) {
        for (int i = 0; i < DIM; i++) {
            float s = y[i];
            for (int j = 0; j < i; j++)
                s -= L[i * DIM + j] * y[j];
            y[i] = s / L[i * DIM + i];
        }
        for (int i = DIM - 1; i >= 0; i--) {
            float s = y[i];
            for (int j = i + 1; j < DIM; j++)
                s -= L[j * DIM + i] * y[j];
            y[i] = s / L[i * DIM + i];
        }
    }
    __syncthreads();
    x[blockIdx.x * DIM + threadIdx.x] = y[threadIdx.x];
}

int main()
{
    std::vector<float> A(BATCH * DIM * DIM), b(BATCH * DIM), x(BATCH * DIM);
    std::vector<int> info(BATCH);
    unsigned s = 6;
    auto rnd = [&s] { s = s * 1664525u + 1013904223u; return (float)(s >> 8) / 16777216.0f - 0.5f; };
    for (int m = 0; m < BATCH; m++) {
        float *M = &A[m * DIM * DIM];
        std::vector<float> B(DIM * DIM);
        for (auto &v : B) v = rnd();
        for (int i = 0; i < DIM; i++)
            for (int j = 0; j < DIM; j++) {
                float sum = i == j ? 1.0f : 0.0f;
                for (int k = 0; k < DIM; k++)
                    sum += B[i * DIM + k] * B[j * DIM + k];
                M[i * DIM + j] = sum;
            }
        if (m % 20 == 9)
            M[(DIM / 2) * DIM + DIM / 2] = -1.0f;   // not positive definite
        for (int i = 0; i < DIM; i++)
            b[m * DIM + i] = rnd();
    }

    float *dA, *db, *dx;
    int *dInfo;
    handle(cudaMalloc(&dA, A.size() * sizeof(float)), "A");
    handle(cudaMalloc(&db, b.size() * sizeof(float)), "b");
    handle(cudaMalloc(&dx, x.size() * sizeof(float)), "x");
    handle(cudaMalloc(&dInfo, BATCH * sizeof(int)), "info");
    handle(cudaMemcpy(dA, A.data(), A.size() * sizeof(float), cudaMemcpyHostToDevice), "copy A");
    handle(cudaMemcpy(db, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice), "copy b");

    cholesky<<<BATCH, DIM>>>(dA, dInfo);
    solve<<<BATCH, DIM>>>(dA, dInfo, db, dx);
    handle(cudaGetLastError(), "launch");
    handle(cudaMemcpy(x.data(), dx, x.size() * sizeof(float), cudaMemcpyDeviceToHost), "copy x");
    handle(cudaMemcpy(info.data(), dInfo, BATCH * sizeof(int), cudaMemcpyDeviceToHost), "copy info");

    int rejected = 0;
    double worst = 0, norm = 0;
    bool wrong = false;
    for (int m = 0; m < BATCH; m++) {
        if ((info[m] != 0) != (m % 20 == 9))
            wrong = true;
        if (info[m]) {
            rejected++;
            continue;
        }
        for (int i = 0; i < DIM; i++) {
            double r = -b[m * DIM + i];
            for (int j = 0; j < DIM; j++)
                r += (double)A[(m * DIM + i) * DIM + j] * x[m * DIM + j];
            worst = fmax(worst, fabs(r));
            norm += (double)x[m * DIM + i] * x[m * DIM + i];
        }
    }
    printf("%d systems of %d, %d rejected, norm of x %.2f\n", BATCH, DIM, rejected, sqrt(norm));
    printf("residual %s\n", worst < 1e-4 && !wrong ? "ok" : "TOO LARGE");
    cudaFree(dA); cudaFree(db); cudaFree(dx); cudaFree(dInfo);
    return worst < 1e-4 && !wrong ? 0 : 1;
}
