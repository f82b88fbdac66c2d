// SPDX-License-Identifier: Apache-2.0
#ifndef FOREST_H
#define FOREST_H
#include <string>
#include <vector>

#ifndef __CUDACC__
#define __host__
#define __device__
#endif

struct TreeNode {
    int feature;      // -1: a leaf
    float threshold;
    int left, right;  // of a leaf: left is the class
};

struct Forest {
    int features, classes;
    std::vector<int> root;
    std::vector<TreeNode> nodes;
};

// Text: "features F classes C trees T", then for each tree "tree N" and N lines
// "feature threshold left right", the children counted from the root of the tree.
bool load_forest(const std::string &path, Forest &f);

__host__ __device__ inline int walk_tree(const TreeNode *nodes, int root, const float *sample)
{
    int n = root;
    while (nodes[n].feature >= 0) {
        if (sample[nodes[n].feature] <= nodes[n].threshold)
            n = root + nodes[n].left;
        else
            n = root + nodes[n].right;
    }
    return nodes[n].left;
}

#endif
