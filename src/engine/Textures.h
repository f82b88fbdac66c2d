// SPDX-License-Identifier: Apache-2.0
//
// Textures and surfaces: how a coordinate becomes a texel, and what is made of it. As the CUDA
// manual describes it ("Texture Fetching"); weights of the linear filter have 8 bits behind the
// point, as a GPU's have. There are no levels: the finest is read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::engine {

struct Texture {
  enum class Format : std::uint8_t { Signed, Unsigned, Float };
  enum class Outside : std::uint8_t { Wrap, Clamp, Mirror, Border }; ///< as cudaTextureAddressMode

  const std::byte* data = nullptr;
  std::array<std::int64_t, 3> size = {1, 1, 1}; ///< texels; the last is layers where it has some
  std::size_t pitch = 0;                        ///< bytes from row to row
  std::size_t slice = 0;                        ///< and from one plane or layer to the next
  unsigned channels = 1;
  unsigned bits = 32; ///< of a channel
  Format format = Format::Float;
  std::array<Outside, 3> outside = {Outside::Clamp, Outside::Clamp, Outside::Clamp};
  bool linear = false;      ///< between texels
  bool givesFloats = false; ///< integers become numbers up to 1
  bool normalized = false;  ///< coordinates go from 0 to 1
  bool isMemory = false;    ///< not an array: outside there are zeros
  std::array<float, 4> border = {0, 0, 0, 0};

  std::size_t texelBytes() const { return channels * bits / 8; }
};

/// What an instruction asks of a texture.
struct TextureQuery {
  static constexpr std::uint32_t cube = 4;      ///< else the number of dimensions
  static constexpr std::uint32_t layered = 16;  ///< bits beside it
  static constexpr std::uint32_t integers = 32; ///< coordinates count texels
  static constexpr std::uint32_t gather = 64;   ///< one channel of four texels

  std::uint32_t shape = 1;
  std::array<std::uint32_t, 3> at = {}; ///< bits of floats, or integers
  std::uint32_t layer = 0;
  std::uint32_t channel = 0; ///< of a gather: the channel in the bits from 8 on, the texel below
};

/// The bits of one channel: of a float, or of an integer of 32 bits.
std::uint32_t readTexture(const Texture& texture, const TextureQuery& query);

enum class SurfaceOutside : std::uint8_t { Zero, Clamp, Trap }; ///< as cudaSurfaceBoundaryMode

/// Where `bytes` of a surface begin, x counted in bytes; nullptr for what lies outside.
const std::byte* surfaceAddress(const Texture& surface, std::int64_t x, std::int64_t y,
                                std::int64_t z, unsigned bytes, SurfaceOutside outside);

/// By the number that programs know as texture or surface object. Not for use by two threads at
/// once; a launch only reads it.
class TextureTable {
public:
  static TextureTable& instance();
  std::uint64_t add(const Texture& texture);
  bool remove(std::uint64_t object);
  const Texture* find(std::uint64_t object) const;
  void clear() { textures_.clear(); }

private:
  struct Entry {
    Texture texture;
    bool live = false;
  };
  std::vector<Entry> textures_; ///< the number is 1 more than the place, and never used twice
};

} // namespace heddle::engine
