// SPDX-License-Identifier: Apache-2.0
//
// heddle schedule best, heddle schedule table
#pragma once

#include "driver/Output.h"
#include "model/BestWord.h"
#include "support/Error.h"

#include <string>

namespace heddle::driver {

Expected<std::string> runBestWord(const model::WordSearch& search, const Output& output);
Expected<std::string> runWordTable(const Output& output);

} // namespace heddle::driver
