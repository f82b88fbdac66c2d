// SPDX-License-Identifier: Apache-2.0
#include "pgm.h"
#include <cstdio>

Image synthetic_scene(int width, int height)
{
	Image img = {width, height, std::vector<unsigned char>(width * height)};
	unsigned s = 17;
	for (int y = 0; y < height; y++) {
		for (int x = 0; x < width; x++) {
			int v = 40;
			if ((x - 60) * (x - 60) + (y - 60) * (y - 60) < 35 * 35)
				v = 200;
			if (x > 110 && x < 170 && y > 30 && y < 100 && x + y > 160)
				v = 140;
			if ((x / 4 + y / 4) % 2 == 0 && y > 110)
				v = 90;
			s = s * 1103515245u + 12345u;
			v += (s >> 16) % 9;
			img.data[y * width + x] = (unsigned char)v;
		}
	}
	return img;
}

bool write_pgm(const char *path, const Image &img)
{
	FILE *f = fopen(path, "wb");
	if (!f)
		return false;
	fprintf(f, "P5\n%d %d\n255\n", img.width, img.height);
	size_t n = fwrite(img.data.data(), 1, img.data.size(), f);
	fclose(f);
	return n == img.data.size();
}
