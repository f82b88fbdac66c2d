// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the model share.
#pragma once

#include "model/Branching.h"
#include "support/Progress.h"

namespace heddle::model {

inline const Branching half = *Branching::twoWay(0.5);
inline Progress quiet;

} // namespace heddle::model
