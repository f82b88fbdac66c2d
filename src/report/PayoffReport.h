// SPDX-License-Identifier: Apache-2.0
//
// Whether scheduling pays for a loop, as text and JSON.
#pragma once

#include "model/Payoff.h"
#include "support/Terminal.h"

#include <string>

namespace heddle::report {

std::string payoffText(const model::PayoffRequest& request, const model::Payoff& payoff,
                       const TextStyle& style);
std::string payoffJson(const model::PayoffRequest& request, const model::Payoff& payoff);

} // namespace heddle::report
