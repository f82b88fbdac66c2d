// SPDX-License-Identifier: Apache-2.0
//
// Macros of a sweep that change nothing: their points would all be the same, by a typing error most
// of the time.
#pragma once

#include "sweep/Points.h"

#include <string>
#include <vector>

namespace heddle::driver {

/// A sentence for each parameter that stands in a -D of the command and changes none of the
/// sources. What cannot be preprocessed is not judged: its points will say why.
std::vector<std::string> idleMacros(const sweep::Spec& spec,
                                    const std::vector<sweep::Point>& points);

} // namespace heddle::driver
