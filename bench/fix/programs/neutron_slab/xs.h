// SPDX-License-Identifier: Apache-2.0
#ifndef XS_H
#define XS_H

/* macroscopic cross sections by energy group, in 1/cm */
#define GROUPS 12

typedef struct {
	float total[GROUPS];
	float scatter[GROUPS];
	float fission[GROUPS];
} Material;

void make_fuel(Material *m);
void make_water(Material *m);

#endif
