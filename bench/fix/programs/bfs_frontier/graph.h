// SPDX-License-Identifier: Apache-2.0
#ifndef GRAPH_H
#define GRAPH_H

#include <cstdlib>
#include <vector>

// a node as in the adjacency list: where its edges start and how many there are
struct Node {
    int start;
    int no_of_edges;
};

struct Graph {
    std::vector<Node> nodes;
    std::vector<int> edges;
};

inline unsigned lcg(unsigned &s) {
    s = s * 1664525u + 1013904223u;
    return s >> 8;
}

// Every node gets between 1 and 2*avg-1 edges; one in 64 is a hub with eight times as many.
inline Graph random_graph(int n, int avg, unsigned seed) {
    Graph g;
    g.nodes.resize(n);
    for (int i = 0; i < n; i++) {
        int degree = 1 + lcg(seed) % (2 * avg - 1);
        if (lcg(seed) % 64 == 0)
            degree *= 8;
        g.nodes[i].start = (int)g.edges.size();
        g.nodes[i].no_of_edges = degree;
        for (int e = 0; e < degree; e++)
            g.edges.push_back(lcg(seed) % n);
    }
    return g;
}

#endif
