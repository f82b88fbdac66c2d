// SPDX-License-Identifier: Apache-2.0
//
// A program asks what its own launches did with their lanes. For a program that compares kernels
// and prints what it found, as a study does; `heddle run` shows the same when the program has
// ended.
//
//   heddle::lane_account account;
//   first<<<...>>>(...);   heddle::read_account(account);   // of the first kernel
//   second<<<...>>>(...);  heddle::read_account(account);   // of the second one
//
// Only Heddle's engine keeps one: on a GPU, read_account returns false.
#pragma once

namespace heddle {

/// Lane slots: a lane of an executed instruction of a warp. Each is used, or lost to one owner.
struct lane_account {
  unsigned long long warp_instructions;
  unsigned long long used;
  unsigned long long lost_to_branches, lost_to_finished, lost_to_partial;
  unsigned long long lost_to_worst; ///< branch, or loop that lanes leave at different times
  char worst[64];                   ///< its place: "photon.cu:33"
  /// Lanes that are off inside what one instruction became: a division, an atomic.
  unsigned long long lost_to_sequences;
  /// Of the used ones, lanes that a predicate switched off. Known where the code that a GPU would
  /// run was run too.
  unsigned long long switched_off;
  bool knows_switched_off;

  double efficiency() const {
    return warp_instructions == 0
               ? 0.0
               : static_cast<double>(used) / (32.0 * static_cast<double>(warp_instructions));
  }
};

} // namespace heddle

/// In the runtime library of `heddle run`, and nowhere else.
extern "C" __attribute__((weak)) void heddle_read_account(heddle::lane_account* account);

namespace heddle {

/// What all launches since the last call did, in this process. False where nobody counts.
inline bool read_account(lane_account& account) {
  account = lane_account{};
  if (heddle_read_account == nullptr)
    return false;
  heddle_read_account(&account);
  return true;
}

} // namespace heddle
