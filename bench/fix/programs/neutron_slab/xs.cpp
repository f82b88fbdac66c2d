// SPDX-License-Identifier: Apache-2.0
#include "xs.h"

/* invented, but shaped like the real thing: absorption grows like 1/v towards the thermal groups */
void make_fuel(Material *m)
{
	for (int g = 0; g < GROUPS; g++) {
		float thermal = (float)g / (GROUPS - 1);
		m->scatter[g] = 0.25f + 0.1f * thermal;
		m->fission[g] = 0.02f + 0.30f * thermal * thermal;
		m->total[g] = m->scatter[g] + m->fission[g] + 0.01f + 0.12f * thermal;
		if (g == 5)
			m->total[g] += 1.5f; /* a resonance */
	}
}

void make_water(Material *m)
{
	for (int g = 0; g < GROUPS; g++) {
		float thermal = (float)g / (GROUPS - 1);
		m->scatter[g] = 0.6f + 0.9f * thermal;
		m->fission[g] = 0.0f;
		m->total[g] = m->scatter[g] + 0.004f + 0.02f * thermal;
	}
}
