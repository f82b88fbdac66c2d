// SPDX-License-Identifier: Apache-2.0
#include "image.h"

#include "../transport/program.h"

#include <png.h>

#include <algorithm>
#include <cmath>

namespace xray {
namespace {

/// Between the brightest and the darkest pixel, leaving out one of a hundred at each end.
std::vector<png_byte> shadesOf(const std::vector<unsigned long long>& energies) {
  const unsigned long long most = *std::max_element(energies.begin(), energies.end());
  std::vector<double> depths;
  for (const unsigned long long energy : energies) // a pixel that saw nothing has a depth, too
    depths.push_back(-std::log(static_cast<double>(energy) + 0.02 * static_cast<double>(most) + 1));
  std::vector<double> sorted = depths;
  std::sort(sorted.begin(), sorted.end());
  const double low = sorted[sorted.size() / 100],
               high = sorted[sorted.size() - 1 - sorted.size() / 100];
  std::vector<png_byte> shades;
  for (const double depth : depths) {
    const double share = high > low ? (depth - low) / (high - low) : 0;
    shades.push_back(static_cast<png_byte>(std::lround(255 * std::clamp(share, 0.0, 1.0))));
  }
  return shades;
}

} // namespace

std::string pngOf(const std::vector<unsigned long long>& energies, int width) {
  std::vector<png_byte> shades = shadesOf(energies);
  const auto stride = static_cast<std::size_t>(width);
  const std::size_t height = shades.size() / stride;
  for (std::size_t row = 0; row < height / 2; ++row) // the head is on top
    std::swap_ranges(shades.begin() + static_cast<std::ptrdiff_t>(row * stride),
                     shades.begin() + static_cast<std::ptrdiff_t>((row + 1) * stride),
                     shades.begin() + static_cast<std::ptrdiff_t>((height - 1 - row) * stride));
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_GRAY;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, shades.data(), 0, nullptr) == 0)
    transport::refuse(std::string("the image cannot be made: ") + image.message);
  bytes.resize(size);
  return bytes;
}

} // namespace xray
