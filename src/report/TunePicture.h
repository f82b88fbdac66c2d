// SPDX-License-Identifier: Apache-2.0
//
// A picture of a search: the time of every configuration in the order they were tried, and the best
// so far.
#pragma once

#include "tune/Tuning.h"

#include <string>

namespace heddle::report {

std::string tunePicture(const tune::Tuning& tuning);

} // namespace heddle::report
