// SPDX-License-Identifier: Apache-2.0
#include "forest.h"
#include <fstream>

bool load_forest(const std::string &path, Forest &f)
{
    std::ifstream in(path);
    std::string word;
    int trees = 0;
    if (!(in >> word >> f.features >> word >> f.classes >> word >> trees))
        return false;
    for (int t = 0; t < trees; t++) {
        int count = 0;
        if (!(in >> word >> count))
            return false;
        f.root.push_back((int)f.nodes.size());
        for (int i = 0; i < count; i++) {
            TreeNode n;
            if (!(in >> n.feature >> n.threshold >> n.left >> n.right))
                return false;
            f.nodes.push_back(n);
        }
    }
    return true;
}
