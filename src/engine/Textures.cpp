// SPDX-License-Identifier: Apache-2.0
#include "engine/Textures.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace heddle::engine {
namespace {

using Outside = Texture::Outside;
using Indices = std::array<std::int64_t, 3>;

/// The texel that stands for one outside; nothing where the border's colour does.
bool bringInside(std::int64_t& index, std::int64_t size, Outside outside) {
  if (index >= 0 && index < size)
    return true;
  const std::int64_t period = outside == Outside::Mirror ? 2 * size : size;
  const std::int64_t rest = ((index % period) + period) % period;
  switch (outside) {
  case Outside::Clamp:
    index = std::clamp<std::int64_t>(index, 0, size - 1);
    return true;
  case Outside::Wrap:
    index = rest;
    return true;
  case Outside::Mirror:
    index = rest < size ? rest : 2 * size - 1 - rest;
    return true;
  case Outside::Border:
    break;
  }
  return false;
}

float halfToFloat(std::uint16_t bits) {
  const std::uint32_t sign = std::uint32_t(bits & 0x8000u) << 16;
  const std::uint32_t rest = bits & 0x7fffu;
  if (rest >= 0x7c00u)
    return std::bit_cast<float>(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
  return std::copysign(std::ldexp(std::bit_cast<float>(rest << 13), 112),
                       std::bit_cast<float>(sign | 0x3f800000u));
}

std::uint32_t rawChannel(const Texture& texture, const std::byte* texel, unsigned channel) {
  std::uint32_t raw = 0;
  std::memcpy(&raw, texel + channel * texture.bits / 8, texture.bits / 8);
  if (texture.format == Texture::Format::Signed && texture.bits < 32)
    return std::uint32_t(std::int32_t(raw << (32 - texture.bits)) >> (32 - texture.bits));
  return raw;
}

float asFloat(const Texture& texture, std::uint32_t raw) {
  if (texture.format == Texture::Format::Float)
    return texture.bits == 16 ? halfToFloat(std::uint16_t(raw)) : std::bit_cast<float>(raw);
  if (texture.format == Texture::Format::Unsigned)
    return float(raw) / float((std::uint64_t{1} << texture.bits) - 1);
  return std::max(float(std::int32_t(raw)) / float((std::uint64_t{1} << (texture.bits - 1)) - 1),
                  -1.0f);
}

bool givesFloats(const Texture& texture) {
  return texture.format == Texture::Format::Float || texture.givesFloats;
}

/// One channel of one texel, as the program gets it.
std::uint32_t texelAt(const Texture& texture, Indices place, unsigned dimensions,
                      unsigned channel) {
  bool inside = true;
  for (unsigned i = 0; i < dimensions && inside; ++i) {
    const bool clamps = !texture.normalized && (texture.outside[i] == Outside::Wrap ||
                                                texture.outside[i] == Outside::Mirror);
    inside = bringInside(place[i], texture.size[i], clamps ? Outside::Clamp : texture.outside[i]);
  }
  if (!inside)
    return givesFloats(texture) ? std::bit_cast<std::uint32_t>(texture.border[channel])
                                : std::uint32_t(texture.border[channel]);
  if (channel >= texture.channels)
    return givesFloats(texture) && channel == 3 ? std::bit_cast<std::uint32_t>(1.0f) : 0;
  const std::byte* texel = texture.data + std::size_t(place[2]) * texture.slice +
                           std::size_t(place[1]) * texture.pitch +
                           std::size_t(place[0]) * texture.texelBytes();
  const std::uint32_t raw = rawChannel(texture, texel, channel);
  return givesFloats(texture) ? std::bit_cast<std::uint32_t>(asFloat(texture, raw)) : raw;
}

/// In texels.
float coordinate(const Texture& texture, const TextureQuery& query, unsigned axis) {
  const auto given = std::bit_cast<float>(query.at[axis]);
  const float value = std::isfinite(given) ? given : 0.0f;
  return texture.normalized ? value * float(texture.size[axis]) : value;
}

struct Between {
  std::int64_t first = 0; ///< and the next one
  float weight = 0;       ///< of the next one
};

Between between(float coordinate) {
  constexpr float steps = 256;
  const float shifted = coordinate - 0.5f;
  const float first = std::floor(shifted);
  return {std::int64_t(first), std::floor((shifted - first) * steps + 0.5f) / steps};
}

std::uint32_t filtered(const Texture& texture, const TextureQuery& query, unsigned dimensions,
                       std::int64_t layer) {
  std::array<Between, 3> axes;
  for (unsigned i = 0; i < dimensions; ++i)
    axes[i] = between(coordinate(texture, query, i));
  float sum = 0;
  for (unsigned corner = 0; corner < 1u << dimensions; ++corner) {
    Indices place = {0, 0, dimensions < 3 ? layer : 0};
    float weight = 1;
    for (unsigned i = 0; i < dimensions; ++i) {
      const bool second = (corner >> i & 1u) != 0;
      place[i] = axes[i].first + (second ? 1 : 0);
      weight *= second ? axes[i].weight : 1 - axes[i].weight;
    }
    if (weight != 0) // what has no weight may be no number
      sum += weight * std::bit_cast<float>(texelAt(texture, place, dimensions, query.channel));
  }
  return std::bit_cast<std::uint32_t>(sum);
}

std::uint32_t gathered(const Texture& texture, const TextureQuery& query, std::int64_t layer) {
  constexpr std::array<std::array<int, 2>, 4> corners = {{{0, 1}, {1, 1}, {1, 0}, {0, 0}}};
  const auto [right, down] = corners[query.channel & 3u];
  const Indices place = {between(coordinate(texture, query, 0)).first + right,
                         between(coordinate(texture, query, 1)).first + down, layer};
  return texelAt(texture, place, 2, query.channel >> 8);
}

/// The direction's face as a layer, and where on it.
TextureQuery onFace(const TextureQuery& query) {
  const auto x = std::bit_cast<float>(query.at[0]), y = std::bit_cast<float>(query.at[1]),
             z = std::bit_cast<float>(query.at[2]);
  const float most = std::max({std::abs(x), std::abs(y), std::abs(z)});
  unsigned face = 0;
  float across = 0, down = 0;
  if (most == std::abs(x)) {
    face = x >= 0 ? 0 : 1;
    across = x >= 0 ? -z : z;
    down = -y;
  } else if (most == std::abs(y)) {
    face = y >= 0 ? 2 : 3;
    across = x;
    down = y >= 0 ? z : -z;
  } else {
    face = z >= 0 ? 4 : 5;
    across = z >= 0 ? x : -x;
    down = -y;
  }
  TextureQuery flat = query;
  flat.shape = 2 | TextureQuery::layered;
  flat.at[0] = std::bit_cast<std::uint32_t>((across / most + 1) / 2);
  flat.at[1] = std::bit_cast<std::uint32_t>((down / most + 1) / 2);
  flat.layer = query.layer * 6 + face;
  return flat;
}

} // namespace

std::uint32_t readTexture(const Texture& texture, const TextureQuery& query) {
  if ((query.shape & TextureQuery::cube) != 0) {
    Texture faces = texture;
    faces.normalized = true;
    faces.outside.fill(Outside::Clamp);
    return readTexture(faces, onFace(query));
  }
  const unsigned dimensions = query.shape & 3u;
  const std::int64_t layer = (query.shape & TextureQuery::layered) != 0
                                 ? std::clamp<std::int64_t>(query.layer, 0, texture.size[2] - 1)
                                 : 0;
  if ((query.shape & TextureQuery::gather) != 0)
    return gathered(texture, query, layer);
  if ((query.shape & TextureQuery::integers) != 0) {
    Indices place = {0, 0, layer};
    for (unsigned i = 0; i < dimensions; ++i)
      place[i] = std::int32_t(query.at[i]);
    Texture plain = texture;
    if (texture.isMemory)
      plain.outside.fill(Outside::Border);
    return texelAt(plain, place, dimensions, query.channel);
  }
  if (texture.linear && givesFloats(texture))
    return filtered(texture, query, dimensions, layer);
  Indices place = {0, 0, layer};
  for (unsigned i = 0; i < dimensions; ++i)
    place[i] = std::int64_t(std::floor(coordinate(texture, query, i)));
  return texelAt(texture, place, dimensions, query.channel);
}

const std::byte* surfaceAddress(const Texture& surface, std::int64_t x, std::int64_t y,
                                std::int64_t z, unsigned bytes, SurfaceOutside outside) {
  const std::int64_t width = surface.size[0] * std::int64_t(surface.texelBytes());
  Indices place = {x, y, z};
  const Indices last = {width - std::int64_t(bytes), surface.size[1] - 1, surface.size[2] - 1};
  for (unsigned i = 0; i < place.size(); ++i) {
    const std::int64_t inside =
        std::clamp<std::int64_t>(place[i], 0, std::max<std::int64_t>(last[i], 0));
    if (inside != place[i] && outside != SurfaceOutside::Clamp)
      return nullptr;
    place[i] = inside;
  }
  return surface.data + std::size_t(place[2]) * surface.slice +
         std::size_t(place[1]) * surface.pitch + std::size_t(place[0]);
}

TextureTable& TextureTable::instance() {
  static TextureTable* const table = new TextureTable;
  return *table;
}

std::uint64_t TextureTable::add(const Texture& texture) {
  textures_.push_back({texture, true});
  return textures_.size();
}

bool TextureTable::remove(std::uint64_t object) {
  if (find(object) == nullptr)
    return false;
  textures_[object - 1].live = false;
  return true;
}

const Texture* TextureTable::find(std::uint64_t object) const {
  if (object == 0 || object > textures_.size() || !textures_[object - 1].live)
    return nullptr;
  return &textures_[object - 1].texture;
}

} // namespace heddle::engine
