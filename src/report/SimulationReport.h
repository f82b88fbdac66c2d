// SPDX-License-Identifier: Apache-2.0
//
// One simulated policy as text, JSON and a picture of its distribution.
#pragma once

#include "model/Headroom.h"
#include "model/Simulation.h"
#include "support/Terminal.h"

#include <optional>
#include <string>

namespace heddle::report {

struct SimulationFindings {
  model::SimulationRequest request;
  model::SimulationResult result;
  std::optional<model::Headroom> headroom;
};

/// The distribution of a policy's efficiency over the warps.
model::Density efficiencyDensity(const model::SimulationResult& result, int iterations);

std::string simulationText(const SimulationFindings& findings, const TextStyle& style);
std::string simulationJson(const SimulationFindings& findings);
std::string simulationSvg(const SimulationFindings& findings);

} // namespace heddle::report
