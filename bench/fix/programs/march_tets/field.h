// SPDX-License-Identifier: Apache-2.0
#ifndef FIELD_H
#define FIELD_H

// Scalar fields on the unit cube; the surface is where they are zero, inside is negative.
struct SphereField {
    __host__ __device__ float operator()(float x, float y, float z) const
    {
        x -= 0.5f;
        y -= 0.5f;
        z -= 0.5f;
        return x * x + y * y + z * z - 0.16f;
    }
};

struct BlobsField {
    __host__ __device__ float operator()(float x, float y, float z) const
    {
        const float cx[3] = {0.3f, 0.65f, 0.5f}, cy[3] = {0.35f, 0.5f, 0.75f}, cz[3] = {0.4f, 0.6f, 0.3f};
        float sum = 0.0f;
        for (int b = 0; b < 3; b++) {
            float dx = x - cx[b], dy = y - cy[b], dz = z - cz[b];
            sum += 0.02f / (dx * dx + dy * dy + dz * dz + 0.001f);
        }
        return 1.0f - sum;
    }
};

#endif
