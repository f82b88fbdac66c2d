// SPDX-License-Identifier: Apache-2.0
//
// What a program may ask of its own account: cuda/include/heddle/account.cuh.
#include "cudart/CudaTypes.h"
#include "cudart/ProfileLog.h"

#include <heddle/account.cuh>

#include <algorithm>
#include <string>

HEDDLE_API void heddle_read_account(heddle::lane_account* account) {
  const heddle::cudart::LaneSums sums = heddle::cudart::ProfileLog::instance().takeLanes();
  *account = {};
  account->warp_instructions = sums.warpInstructions;
  account->used = sums.used;
  account->lost_to_finished = sums.lostToFinished;
  account->lost_to_partial = sums.lostToPartial;
  account->lost_to_sequences = sums.lostToSequences;
  account->knows_switched_off = sums.switchedOff.has_value();
  account->switched_off = sums.switchedOff.value_or(0);
  for (const auto& [place, lost] : sums.lostAt) {
    account->lost_to_branches += lost;
    if (lost <= account->lost_to_worst)
      continue;
    account->lost_to_worst = lost;
    const std::string text = place.substr(0, sizeof account->worst - 1);
    std::fill(std::copy(text.begin(), text.end(), account->worst), std::end(account->worst), '\0');
  }
}
