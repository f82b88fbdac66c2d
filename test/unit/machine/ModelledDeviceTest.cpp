// SPDX-License-Identifier: Apache-2.0
#include "machine/ModelledDevice.h"

#include <gtest/gtest.h>

namespace heddle::machine {
namespace {

TEST(ModelledDevice, WithoutANameItIsTheReferenceDevice) {
  const ModelledDevice device;
  EXPECT_EQ(modelledDevice(device.asked)->gpu.name, device.gpu.name);
}

TEST(ModelledDevice, KeepsWhatWasAskedForBesideWhatItIs) {
  const ModelledDevice device = modelledDevice("a100").value();
  EXPECT_EQ(device.asked, "a100");
  EXPECT_EQ(device.gpu.name, findDevice("a100")->name);
}

TEST(ModelledDevice, IsAWholeGpu) {
  EXPECT_FALSE(modelledDevice("cc9.0"));
  EXPECT_FALSE(modelledDevice("voodoo"));
}

} // namespace
} // namespace heddle::machine
