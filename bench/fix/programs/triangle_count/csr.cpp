// SPDX-License-Identifier: Apache-2.0
#include "csr.h"

#include <algorithm>
#include <random>
#include <set>

// Each new vertex links to ends of edges that are there already, which makes old vertices rich.
Csr preferential_graph(int n, int links, unsigned seed)
{
    std::mt19937 gen(seed);
    std::vector<int> ends;
    std::vector<std::set<int>> up(n);
    for (int v = 1; v < n; v++) {
        int k = std::min(v, 1 + (int)(gen() % (2 * links)));
        for (int i = 0; i < k; i++) {
            int u = (ends.empty() || gen() % 4 == 0) ? (int)(gen() % v) : ends[gen() % ends.size()];
            if (u == v)
                continue;
            if (up[std::min(u, v)].insert(std::max(u, v)).second) {
                ends.push_back(u);
                ends.push_back(v);
            }
        }
    }
    Csr g;
    g.n = n;
    g.offset.push_back(0);
    for (int v = 0; v < n; v++) {
        g.neighbour.insert(g.neighbour.end(), up[v].begin(), up[v].end());
        g.offset.push_back((int)g.neighbour.size());
    }
    return g;
}
