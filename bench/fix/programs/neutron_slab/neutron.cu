// SPDX-License-Identifier: Apache-2.0
/*
 * Neutrons in a slab of alternating fuel and water. History based: a thread follows a neutron from
 * birth to absorption or leakage. Fission neutrons are counted, not followed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <cuda_runtime.h>
#include "xs.h"

#define CELLS 8
#define PITCH 1.2f

enum Event { COLLISION, SURFACE };
enum Tally { ABSORBED, FISSIONS, LEAKED_LEFT, LEAKED_RIGHT, COLLISIONS, CROSSINGS, TALLIES };

__constant__ Material c_material[2];

#define HANDLE(err)                                                                       \
	if ((err) != cudaSuccess) {                                                       \
		printf("%s in %s at line %d\n", cudaGetErrorString(err), __FILE__, __LINE__); \
		exit(EXIT_FAILURE);                                                       \
	}

__device__ double lcg_double(unsigned long long *seed)
{
	const unsigned long long m = 9223372036854775808ULL; /* 2^63 */
	*seed = (2806196910506780709ULL * *seed + 1ULL) % m;
	return (double)*seed / (double)m;
}

__device__ int pick_nuclide_event(const Material *mat, int g, float r)
{
	/* 0 scatter, 1 fission, 2 capture */
	float xi = r * mat->total[g];
	if (xi < mat->scatter[g])
		return 0;
	if (xi < mat->scatter[g] + mat->fission[g])
		return 1;
	return 2;
}

__global__ void histories(int n, unsigned long long *tally)
{
	int id = blockIdx.x * blockDim.x + threadIdx.x;
	if (id >= n)
		return;

	unsigned long long seed = 19070 + 1237ULL * id;
	for (int warm = 0; warm < 3; warm++)
		lcg_double(&seed);

	int cell = (int)(lcg_double(&seed) * CELLS / 2) * 2; /* born in fuel */
	float x = cell * PITCH + (float)lcg_double(&seed) * PITCH;
	float mu = 2.0f * (float)lcg_double(&seed) - 1.0f;
	int group = 0;
	int collisions = 0, crossings = 0;
	bool alive = true;

	while (alive) {
		const Material *mat = &c_material[cell & 1];
		float d_coll = -logf((float)lcg_double(&seed) + 1e-12f) / mat->total[group];
		float edge = mu > 0.0f ? (cell + 1) * PITCH : cell * PITCH;
		float d_surf = mu != 0.0f ? (edge - x) / mu : 1e9f;
		Event ev = d_coll < d_surf ? COLLISION : SURFACE;

		switch (ev) {
		case SURFACE:
			crossings++;
			x = edge;
			cell += mu > 0.0f ? 1 : -1;
			if (cell < 0) {
				atomicAdd(&tally[LEAKED_LEFT], 1ULL);
				alive = false;
			} else if (cell >= CELLS) {
				atomicAdd(&tally[LEAKED_RIGHT], 1ULL);
				alive = false;
			}
			break;
		case COLLISION:
			collisions++;
			x += d_coll * mu;
			switch (pick_nuclide_event(mat, group, (float)lcg_double(&seed))) {
			case 0:
				mu = 2.0f * (float)lcg_double(&seed) - 1.0f;
				if (cell & 1) {
					/* hydrogen slows down a lot */
					group += 1 + (int)(lcg_double(&seed) * 3.0);
				} else if (lcg_double(&seed) < 0.1)
					group++;
				if (group > GROUPS - 1)
					group = GROUPS - 1;
				break;
			case 1:
				atomicAdd(&tally[FISSIONS], 1ULL);
				alive = false;
				break;
			default:
				atomicAdd(&tally[ABSORBED], 1ULL);
				alive = false;
			}
			break;
		}
	}
	atomicAdd(&tally[COLLISIONS], (unsigned long long)collisions);
	atomicAdd(&tally[CROSSINGS], (unsigned long long)crossings);
}

int main(int argc, char **argv)
{
	int n = 20000;
	if (argc == 2)
		n = atoi(argv[1]);

	Material mats[2];
	make_fuel(&mats[0]);
	make_water(&mats[1]);
	HANDLE(cudaMemcpyToSymbol(c_material, mats, sizeof(mats)));

	unsigned long long *d_tally, tally[TALLIES];
	HANDLE(cudaMalloc((void **)&d_tally, sizeof(tally)));
	HANDLE(cudaMemset(d_tally, 0, sizeof(tally)));

	char date[64];
	time_t now = time(NULL);
	strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", localtime(&now));
	printf("# neutron_slab, %d histories, time %s\n", n, date);

	clock_t begin = clock();
	histories<<<(n + 255) / 256, 256>>>(n, d_tally);
	HANDLE(cudaDeviceSynchronize());
	double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
	HANDLE(cudaMemcpy(tally, d_tally, sizeof(tally), cudaMemcpyDeviceToHost));

	printf("tallies at %p\n", (void *)d_tally);
	printf("k (estimate)   %.4f\n", 2.43 * (double)tally[FISSIONS] / n);
	printf("capture        %.4f\n", (double)tally[ABSORBED] / n);
	printf("leakage        %.4f %.4f\n", (double)tally[LEAKED_LEFT] / n, (double)tally[LEAKED_RIGHT] / n);
	printf("events         %.3f collisions, %.3f crossings\n", (double)tally[COLLISIONS] / n, (double)tally[CROSSINGS] / n);
	printf("rate           %.1f histories/s\n", n / (seconds > 0 ? seconds : 1e-9));
	unsigned long long ended = tally[FISSIONS] + tally[ABSORBED] + tally[LEAKED_LEFT] + tally[LEAKED_RIGHT];
	printf("%s\n", ended == (unsigned long long)n ? "all neutrons accounted for" : "NEUTRONS LOST");
	cudaFree(d_tally);
	return ended != (unsigned long long)n;
}
