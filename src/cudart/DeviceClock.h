// SPDX-License-Identifier: Apache-2.0
//
// The time on the modelled GPU: what kernels take by the timing model, and what copies take by
// their size. Nothing overlaps. Events read it, so that a program that measures itself measures the
// modelled GPU, and the same every time.
#pragma once

#include "machine/Device.h"

#include <cstddef>

namespace heddle::cudart {

class DeviceClock {
public:
  explicit DeviceClock(const machine::Device& device)
      : bytesPerSecond_(device.bandwidthGBps * 1e9) {}

  double now() const { return seconds_; }
  void pass(double seconds) { seconds_ += seconds; }

  /// Inside the device: every byte is read and written.
  void passCopy(std::size_t bytes) { pass(startSeconds + 2 * double(bytes) / bytesPerSecond_); }
  void passFill(std::size_t bytes) { pass(startSeconds + double(bytes) / bytesPerSecond_); }
  void passTransfer(std::size_t bytes) { pass(startSeconds + double(bytes) / busBytesPerSecond); }

private:
  static constexpr double startSeconds = 2e-6;
  static constexpr double busBytesPerSecond = 12e9; ///< PCI Express 3.0 with 16 lanes, as measured

  double bytesPerSecond_;
  double seconds_ = 0;
};

} // namespace heddle::cudart
