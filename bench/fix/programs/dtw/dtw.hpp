// SPDX-License-Identifier: Apache-2.0
#pragma once

constexpr int kMaxLength = 96;

// Dynamic time warping of two integer series within a band around the diagonal.
// Gives up, with a large number, when a whole row is worse than `limit`.
template <int BAND>
__host__ __device__ int dtw(const short* a, int na, const short* b, int nb, int limit)
{
    const int big = 1 << 28;
    int row[kMaxLength + 1];
    row[0] = 0;
    for (int j = 1; j <= nb; ++j) row[j] = big;
    for (int i = 1; i <= na; ++i)
    {
        int centre = i * nb / na;
        int from = centre - BAND < 1 ? 1 : centre - BAND;
        int to = centre + BAND > nb ? nb : centre + BAND;
        int diagonal = row[from - 1], best = big;
        row[from - 1] = big;
        for (int j = from; j <= to; ++j)
        {
            int cost = a[i - 1] - b[j - 1];
            if (cost < 0) cost = -cost;
            int m = diagonal;
            if (row[j] < m) m = row[j];
            if (row[j - 1] < m) m = row[j - 1];
            diagonal = row[j];
            row[j] = m + cost < big ? m + cost : big;
            if (row[j] < best) best = row[j];
        }
        if (to < nb) row[to + 1] = big;
        if (best > limit) return big;
    }
    return row[nb];
}
