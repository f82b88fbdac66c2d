// SPDX-License-Identifier: Apache-2.0
#ifndef PGM_H
#define PGM_H
#include <vector>

struct Image {
	int width, height;
	std::vector<unsigned char> data;
};

Image synthetic_scene(int width, int height);
bool write_pgm(const char *path, const Image &img);

#endif
