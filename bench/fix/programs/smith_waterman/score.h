// SPDX-License-Identifier: Apache-2.0
#ifndef SCORE_H
#define SCORE_H

#define MAX_QUERY 64
#define MATCH 3
#define MISMATCH -2
#define GAP_OPEN 4
#define GAP_EXTEND 1

/* Local alignment score with affine gaps. H and E hold one row for the query. */
__host__ __device__ inline int sw_score(const char *query, int qlen, const char *target, int tlen)
{
    short H[MAX_QUERY + 1], E[MAX_QUERY + 1];
    for (int j = 0; j <= qlen; j++) {
        H[j] = 0;
        E[j] = 0;
    }
    int best = 0;
    for (int i = 0; i < tlen; i++) {
        int diagonal = 0, F = 0;
        for (int j = 1; j <= qlen; j++) {
            int h = diagonal + (query[j - 1] == target[i] ? MATCH : MISMATCH);
            int e = E[j] - GAP_EXTEND;
            if (H[j] - GAP_OPEN > e)
                e = H[j] - GAP_OPEN;
            int f = F - GAP_EXTEND;
            if (H[j - 1] - GAP_OPEN > f)
                f = H[j - 1] - GAP_OPEN;
            if (e < 0) e = 0;
            if (f < 0) f = 0;
            if (e > h) h = e;
            if (f > h) h = f;
            if (h < 0) h = 0;
            diagonal = H[j];
            H[j] = (short)h;
            E[j] = (short)e;
            F = f;
            if (h > best) best = h;
        }
    }
    return best;
}

#endif
