// SPDX-License-Identifier: Apache-2.0
// Breadth first search, level by level, with a mask of the nodes on the frontier.
//
//   ./bfs [nodes] [average degree] [source]

#include <cstdio>
#include <cstdlib>
#include <queue>
#include <vector>
#include <cuda_runtime.h>
#include "graph.h"

#define MAX_THREADS_PER_BLOCK 256

#define CHECK(call)                                                                   \
    do {                                                                              \
        cudaError_t e_ = (call);                                                      \
        if (e_ != cudaSuccess) {                                                      \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); \
            exit(1);                                                                  \
        }                                                                             \
    } while (0)

__global__ void expand(const Node *g_nodes, const int *g_edges, bool *g_mask, bool *g_updating,
                       const bool *g_visited, int *g_cost, int no_of_nodes)
{
    int tid = blockIdx.x * MAX_THREADS_PER_BLOCK + threadIdx.x;
    if (tid < no_of_nodes && g_mask[tid]) {
        g_mask[tid] = false;
        for (int i = g_nodes[tid].start; i < g_nodes[tid].start + g_nodes[tid].no_of_edges; i++) {
            int id = g_edges[i];
            if (!g_visited[id]) {
                g_cost[id] = g_cost[tid] + 1;
                g_updating[id] = true;
            }
        }
    }
}

__global__ void commit(bool *g_mask, bool *g_updating, bool *g_visited, int *g_over, int no_of_nodes)
{
    int tid = blockIdx.x * MAX_THREADS_PER_BLOCK + threadIdx.x;
    if (tid >= no_of_nodes)
        return;
    if (!g_updating[tid])
        return;
    g_mask[tid] = true;
    g_visited[tid] = true;
    g_updating[tid] = false;
    *g_over = 1;
}

static std::vector<int> bfs_cpu(const Graph &g, int source)
{
    std::vector<int> cost(g.nodes.size(), -1);
    std::queue<int> q;
    cost[source] = 0;
    q.push(source);
    while (!q.empty()) {
        int u = q.front();
        q.pop();
        for (int i = 0; i < g.nodes[u].no_of_edges; i++) {
            int v = g.edges[g.nodes[u].start + i];
            if (cost[v] < 0) {
                cost[v] = cost[u] + 1;
                q.push(v);
            }
        }
    }
    return cost;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 20000;
    int avg = argc > 2 ? atoi(argv[2]) : 6;
    int source = argc > 3 ? atoi(argv[3]) : 0;
    if (n < 1 || avg < 1 || source < 0 || source >= n) {
        fprintf(stderr, "usage: %s [nodes] [average degree] [source]\n", argv[0]);
        return 1;
    }

    Graph g = random_graph(n, avg, 7u);
    printf("graph: %d nodes, %zu edges\n", n, g.edges.size());

    Node *d_nodes;
    int *d_edges, *d_cost, *d_over;
    bool *d_mask, *d_updating, *d_visited;
    CHECK(cudaMalloc((void **)&d_nodes, sizeof(Node) * n));
    CHECK(cudaMalloc((void **)&d_edges, sizeof(int) * g.edges.size()));
    CHECK(cudaMalloc((void **)&d_cost, sizeof(int) * n));
    CHECK(cudaMalloc((void **)&d_over, sizeof(int)));
    CHECK(cudaMalloc((void **)&d_mask, sizeof(bool) * n));
    CHECK(cudaMalloc((void **)&d_updating, sizeof(bool) * n));
    CHECK(cudaMalloc((void **)&d_visited, sizeof(bool) * n));
    CHECK(cudaMemcpy(d_nodes, g.nodes.data(), sizeof(Node) * n, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_edges, g.edges.data(), sizeof(int) * g.edges.size(), cudaMemcpyHostToDevice));

    std::vector<int> cost(n, -1);
    cost[source] = 0;
    CHECK(cudaMemcpy(d_cost, cost.data(), sizeof(int) * n, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_mask, 0, n));
    CHECK(cudaMemset(d_updating, 0, n));
    CHECK(cudaMemset(d_visited, 0, n));
    bool yes = true;
    CHECK(cudaMemcpy(d_mask + source, &yes, sizeof(bool), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_visited + source, &yes, sizeof(bool), cudaMemcpyHostToDevice));

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));

    int blocks = (n + MAX_THREADS_PER_BLOCK - 1) / MAX_THREADS_PER_BLOCK;
    int over, levels = 0;
    do {
        over = 0;
        CHECK(cudaMemcpy(d_over, &over, sizeof(int), cudaMemcpyHostToDevice));
        expand<<<blocks, MAX_THREADS_PER_BLOCK>>>(d_nodes, d_edges, d_mask, d_updating, d_visited, d_cost, n);
        commit<<<blocks, MAX_THREADS_PER_BLOCK>>>(d_mask, d_updating, d_visited, d_over, n);
        CHECK(cudaMemcpy(&over, d_over, sizeof(int), cudaMemcpyDeviceToHost));
        levels++;
    } while (over);

    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(cudaMemcpy(cost.data(), d_cost, sizeof(int) * n, cudaMemcpyDeviceToHost));

    std::vector<int> expected = bfs_cpu(g, source);
    long long sum = 0;
    int bad = 0, reached = 0;
    for (int i = 0; i < n; i++) {
        if (cost[i] != expected[i])
            bad++;
        if (cost[i] >= 0) {
            reached++;
            sum += cost[i];
        }
    }
    printf("levels %d, reached %d, sum of costs %lld\n", levels, reached, sum);
    printf("BFS time: %.3f ms\n", ms);
    printf(bad ? "FAILED: %d nodes differ\n" : "PASSED\n", bad);

    cudaFree(d_nodes);
    cudaFree(d_edges);
    cudaFree(d_cost);
    cudaFree(d_over);
    cudaFree(d_mask);
    cudaFree(d_updating);
    cudaFree(d_visited);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    return bad != 0;
}
