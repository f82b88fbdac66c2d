// SPDX-License-Identifier: Apache-2.0
#ifndef TRIANGLES_CSR_H
#define TRIANGLES_CSR_H
#include <vector>

// Directed from the smaller to the larger vertex, lists sorted.
struct Csr {
    int n;
    std::vector<int> offset;
    std::vector<int> neighbour;
};

Csr preferential_graph(int n, int links, unsigned seed);

#endif
