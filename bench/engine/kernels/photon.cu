// SPDX-License-Identifier: Apache-2.0
//
// Photon transport through the matched slab of examples/photon, one photon after the other. The
// result is what all photons did together: steps, hits and photons, as whole numbers.
#include "kernel.h"

#include "../../../examples/photon/tissue.cuh"

KERNEL(transportPhotons, float* totals, photon::Score* absorbed, photon::Score* reflected,
       photon::Score* transmitted, photon::Counters* counters, const photon::Layer* layers,
       int photons) {
  photon::Job job{};
  job.layers = layers;
  job.layerCount = 1;
  job.seed = 1;
  job.photons = photons;
  job.launchWeight = 1.0f;
  job.perDr = 100.0f;
  job.perDz = 1000.0f;
  job.radii = 50;
  job.depths = 20;
  job.absorbed = absorbed;
  job.reflected = reflected;
  job.transmitted = transmitted;
  job.counters = counters;
  for (int id = blockIdx.x * blockDim.x + threadIdx.x; id < photons; id += gridDim.x * blockDim.x) {
    photon::Photon photon = photon::launchPhoton(job, id);
    while (photon.weight > 0.0f) {
      const photon::Step step = photon::drawStep(job, photon);
      if (step.hits)
        photon::crossBoundary(job, photon, step.chance);
      else
        photon::interact(job, photon, step.chance);
    }
    atomicAdd(totals, float(photon.step));
    atomicAdd(totals + 1, float(photon.hits));
    atomicAdd(totals + 2, 1.0f);
  }
}

#ifdef HEDDLE_REFERENCE
extern "C" void reference(void** a, Extent grid, Extent block) {
  FOR_EACH_THREAD(grid, block,
                  transportPhotons(t, b, block, grid, *(float**)a[0], *(photon::Score**)a[1],
                                   *(photon::Score**)a[2], *(photon::Score**)a[3],
                                   *(photon::Counters**)a[4], *(photon::Layer**)a[5], *(int*)a[6]))
}
#endif
