// SPDX-License-Identifier: Apache-2.0
//
// An X-ray in a body of voxels, as the machine of four states of Novak's figure E.2:
//
//   New       the source sends an X-ray; it enters the body, or passes beside it
//   Delta     Woodcock's step: as far as the densest voxel would let it go. There it is absorbed,
//             scattered, or nothing happens, by what the voxel there really is. It may also leave.
//   Rayleigh  scattered without loss, by Thomson's formula and a form factor
//   Compton   scattered by an electron at rest, by the formula of Klein and Nishina, exactly
//
// No sum here has a plain product as a term: where both are rounded at once it says fmaf. A
// compiler has nothing to fuse then, and every form of the program computes the same bits.
#pragma once

#include "../transport/direction.cuh"
#include "../transport/fixed_point.cuh"
#include "../transport/random.cuh"

namespace xray {

using transport::Score;

constexpr int energyBits = 24; ///< of a score in keV: 2^32 X-rays of 128 keV are the most
constexpr float electronRest = 510.99895f; ///< keV
constexpr float leastEnergy = 4.0f;        ///< keV; below, an X-ray is absorbed where it is
constexpr int counterSlots = 256;

/// The last two are ends of a step that are scored before anything else happens.
enum class State { New, Delta, Rayleigh, Compton, Leaves, Absorbed };
constexpr int states = 4; ///< of the machine

/// Of a material at one energy, by the cm: all interactions; Compton; Compton and Rayleigh.
struct Attenuation {
  float total, compton, scattered;
};

struct Counters {
  Score xrays, deltas, rayleighs, comptons;
  Score primaries; ///< X-rays that left the body as they came
  Score emitted, escaped, absorbed;
};

struct Vector {
  float x, y, z;
};

/// What a launch works on, and where it scores. The body fills the box from 0 to `size`; the source
/// stands before its side y = 0, the detector behind the other.
struct Job {
  const unsigned char* voxels; ///< material of each, x fastest
  int countX, countY, countZ;
  Vector perSize;                 ///< voxels by the cm
  Vector size;                    ///< cm
  const Attenuation* attenuation; ///< of material m: [m * energies] and on
  const float* majorant;          ///< the largest of all materials
  const float* formWidth;         ///< of each material: where its form factor falls, squared
  int energies;
  float perKeV; ///< entries of a table by the keV, from leastEnergy on
  std::uint32_t seed, first, count;
  float energy; ///< keV
  Vector source;
  float detectorY, detectorX0, detectorZ0, detectorWidth, detectorHeight;
  float beamWidth, beamHeight; ///< of the field on the detector; 0 is a pencil beam
  int pixelsX, pixelsZ;
  Score* image; ///< pixelsZ x pixelsX
  Score* dose;  ///< a voxel each
  std::uint32_t doses; ///< how many of them there are; those behind the first are added to it
  Counters* counters;
  std::uint32_t* queue;
};

struct Xray {
  float x, y, z;
  transport::Direction way;
  float energy;
  std::uint32_t id, draw;
  std::uint32_t deltas;
  std::uint32_t scatters; ///< Rayleigh's in the upper half, Compton's in the lower
  State state;            ///< the next one; New: it is done
};

__device__ inline Score energyScore(float energy) {
  return transport::fixed<energyBits>(energy);
}
__device__ inline transport::Words draw(const Job& job, Xray& xray) {
  return transport::philox(job.seed, xray.id, xray.draw++);
}

/// Scoring as one writes it first: every score goes to memory at once.
struct ScoreAtOnce {
  __device__ void count(const Job& job, const Xray& xray, Score Counters::*what, Score value) {
    atomicAdd(&(job.counters[xray.id % counterSlots].*what), value);
  }
  __device__ Score* dose(const Job& job) const { return job.dose; }
};

/// A thread counts for itself until it ends, and blocks have doses of their own where there is room
/// for them. Scores are whole numbers: the sums are the same.
class ScoreApart {
public:
  __device__ void count(const Job&, const Xray&, Score Counters::*what, Score value) {
    own_.*what += value;
  }
  __device__ Score* dose(const Job& job) const {
    return job.dose + blockIdx.x % job.doses * job.countX * job.countY * job.countZ;
  }
  /// The thread is done.
  __device__ void addUp(const Job& job) {
    Counters& all = job.counters[(blockIdx.x * blockDim.x + threadIdx.x) % counterSlots];
    for (Score Counters::*what :
         {&Counters::xrays, &Counters::deltas, &Counters::rayleighs, &Counters::comptons,
          &Counters::primaries, &Counters::emitted, &Counters::escaped, &Counters::absorbed})
      atomicAdd(&(all.*what), own_.*what);
  }

private:
  Counters own_{};
};

/// Where a table of energies is asked: between an entry and the next.
struct TablePlace {
  int entry;
  float share;
};
__device__ inline TablePlace placeOf(const Job& job, float energy) {
  const float above = energy - leastEnergy;
  const int entry = min(max(static_cast<int>(above * job.perKeV), 0), job.energies - 2);
  return {entry, fmaf(above, job.perKeV, -static_cast<float>(entry))};
}
__device__ inline float between(float low, float high, float share) {
  return fmaf(share, high - low, low);
}

__device__ inline int voxelAt(const Job& job, const Xray& xray) {
  const int x = min(static_cast<int>(xray.x * job.perSize.x), job.countX - 1);
  const int y = min(static_cast<int>(xray.y * job.perSize.y), job.countY - 1);
  const int z = min(static_cast<int>(xray.z * job.perSize.z), job.countZ - 1);
  return (z * job.countY + y) * job.countX + x;
}

template <class Scoring>
__device__ void deposit(const Job& job, Scoring& scoring, const Xray& xray, float before,
                        float after) {
  const Score lost = energyScore(before) - energyScore(after);
  atomicAdd(scoring.dose(job) + voxelAt(job, xray), lost);
  scoring.count(job, xray, &Counters::absorbed, lost);
}

/// It has left the body: the detector may see it.
template <class Scoring> __device__ void escape(const Job& job, Scoring& scoring, Xray& xray) {
  const Score energy = energyScore(xray.energy);
  scoring.count(job, xray, &Counters::escaped, energy);
  if (xray.scatters == 0)
    scoring.count(job, xray, &Counters::primaries, Score{1});
  xray.state = State::New;
  if (!(xray.way.y > 0.0f))
    return;
  const float length = (job.detectorY - xray.y) / xray.way.y;
  const float across = (fmaf(xray.way.x, length, xray.x) - job.detectorX0) / job.detectorWidth;
  const float along = (fmaf(xray.way.z, length, xray.z) - job.detectorZ0) / job.detectorHeight;
  if (across >= 0.0f && across < 1.0f && along >= 0.0f && along < 1.0f) {
    const int column = static_cast<int>(across * static_cast<float>(job.pixelsX));
    const int row = static_cast<int>(along * static_cast<float>(job.pixelsZ));
    atomicAdd(job.image + min(row, job.pixelsZ - 1) * job.pixelsX + min(column, job.pixelsX - 1),
              energy);
  }
}

/// Where a line enters and leaves one pair of the box's sides.
struct Span {
  float in, out;
};
__device__ inline Span spanOf(float from, float along, float size) {
  const float first = -from / along, second = (size - from) / along;
  return {fminf(first, second), fmaxf(first, second)};
}

/// Sends X-ray number `id` of the launch.
template <class Scoring>
__device__ Xray send(const Job& job, Scoring& scoring, std::uint32_t id) {
  Xray xray{};
  xray.id = job.first + id;
  xray.energy = job.energy;
  const transport::Words words = draw(job, xray);
  const float targetX = (transport::unit(words.first) - 0.5f) * job.beamWidth;
  const float targetZ = (transport::unit(words.second) - 0.5f) * job.beamHeight;
  const float depth = job.detectorY - job.source.y;
  const float length = sqrtf(fmaf(targetX, targetX, fmaf(targetZ, targetZ, depth * depth)));
  xray.way = {targetX / length, depth / length, targetZ / length};
  const Span x = spanOf(job.source.x, xray.way.x, job.size.x);
  const Span y = spanOf(job.source.y, xray.way.y, job.size.y);
  const Span z = spanOf(job.source.z, xray.way.z, job.size.z);
  const float in = fmaxf(fmaxf(x.in, y.in), z.in), out = fminf(fminf(x.out, y.out), z.out);
  const float start = in < out ? in : 0.0f;
  xray.x = fmaf(xray.way.x, start, job.source.x);
  xray.y = fmaf(xray.way.y, start, job.source.y);
  xray.z = fmaf(xray.way.z, start, job.source.z);
  if (in < out) { // rounding must not leave it outside
    xray.x = fminf(fmaxf(xray.x, 0.0f), job.size.x);
    xray.y = fminf(fmaxf(xray.y, 0.0f), job.size.y);
    xray.z = fminf(fmaxf(xray.z, 0.0f), job.size.z);
  }
  scoring.count(job, xray, &Counters::emitted, energyScore(xray.energy));
  xray.state = in < out ? State::Delta : State::Leaves;
  return xray;
}

/// Scores what leaves the body or is absorbed in it: then it is done.
template <class Scoring> __device__ void settle(const Job& job, Scoring& scoring, Xray& xray) {
  if (xray.state == State::Leaves) {
    escape(job, scoring, xray);
  } else if (xray.state == State::Absorbed) {
    deposit(job, scoring, xray, xray.energy, 0.0f);
    xray.state = State::New;
  }
}

/// New: sends an X-ray; one that passes beside the body is done.
template <class Scoring>
__device__ Xray emit(const Job& job, Scoring& scoring, std::uint32_t id) {
  Xray xray = send(job, scoring, id);
  settle(job, scoring, xray);
  return xray;
}

/// One step of Woodcock's, and what its end is.
__device__ inline void step(const Job& job, Xray& xray) {
  ++xray.deltas;
  const transport::Words words = draw(job, xray);
  const TablePlace place = placeOf(job, xray.energy);
  const float most = between(job.majorant[place.entry], job.majorant[place.entry + 1], place.share);
  const float length = -logf(transport::unit(words.first)) / most;
  xray.x = fmaf(xray.way.x, length, xray.x);
  xray.y = fmaf(xray.way.y, length, xray.y);
  xray.z = fmaf(xray.way.z, length, xray.z);
  if (xray.x < 0.0f || xray.x > job.size.x || xray.y < 0.0f || xray.y > job.size.y ||
      xray.z < 0.0f || xray.z > job.size.z) {
    xray.state = State::Leaves;
    return;
  }
  const int material = job.voxels[voxelAt(job, xray)];
  const Attenuation* here = job.attenuation + material * job.energies + place.entry;
  const float chance = transport::unit(words.second) * most;
  if (chance >= between(here[0].total, here[1].total, place.share))
    return;
  if (chance < between(here[0].compton, here[1].compton, place.share)) {
    xray.state = State::Compton;
  } else if (chance < between(here[0].scattered, here[1].scattered, place.share)) {
    xray.state = State::Rayleigh;
  } else { // the photoelectric effect
    xray.state = State::Absorbed;
  }
}

/// Delta: a step, and what follows from it.
template <class Scoring> __device__ void deltaStep(const Job& job, Scoring& scoring, Xray& xray) {
  step(job, xray);
  settle(job, scoring, xray);
}

/// The cosine of Rayleigh's angle: s = 1 - cosine falls off as (1 + a s)^-4, the square of the form
/// factor (1 + q^2 / w)^-2; then Thomson's 1 + cosine^2 is met by rejection.
__device__ inline float rayleighCosine(const Job& job, Xray& xray, float width) {
  const float wave = xray.energy * (1.0f / 12.398f); // 1 / Angstrom
  const float a = 0.5f * wave * wave / width;
  const float most = fmaf(2.0f, a, 1.0f);
  const float tail = 1.0f / (most * most * most);
  for (;;) {
    const transport::Words words = draw(job, xray);
    const float u = transport::unit(words.first);
    const float v = 1.0f / cbrtf(fmaf(u, tail - 1.0f, 1.0f));
    const float cosine = fmaxf(1.0f - (v - 1.0f) / a, -1.0f);
    if (2.0f * transport::unit(words.second) < fmaf(cosine, cosine, 1.0f))
      return cosine;
  }
}

__device__ inline void scatterRayleigh(const Job& job, Xray& xray) {
  xray.scatters += 1u << 16;
  const float width = job.formWidth[job.voxels[voxelAt(job, xray)]];
  const float cosine = rayleighCosine(job, xray, width);
  xray.way = transport::turned(xray.way, cosine, transport::unit(draw(job, xray).first));
  xray.state = State::Delta;
}

/// What Klein and Nishina leave of an energy, and the cosine of the angle.
struct Compton {
  float left; ///< share of the energy
  float cosine;
};

/// Their formula in the share e that is left is (1 / e + e) (1 - e sin^2 / (1 + e^2)): the first
/// factor is drawn as a sum of two parts, the second met by rejection.
__device__ inline Compton comptonOf(const Job& job, Xray& xray) {
  const float k = xray.energy / electronRest;
  const float least = 1.0f / fmaf(2.0f, k, 1.0f), least2 = least * least;
  const float range2 = fmaf(-least, least, 1.0f); // 1 - least^2
  const float logPart = -logf(least);
  for (;;) {
    const transport::Words first = draw(job, xray), second = draw(job, xray);
    const float u = transport::unit(first.second);
    const bool isLog = transport::unit(first.first) * fmaf(0.5f, range2, logPart) < logPart;
    const float left = isLog ? expf(-logPart * u) : sqrtf(fmaf(u, range2, least2));
    const float t = (1.0f - left) / (k * left); // 1 - cosine
    const float sine2 = t * (2.0f - t);
    const float refused = left * sine2 / fmaf(left, left, 1.0f);
    if (transport::unit(second.first) < 1.0f - refused)
      return {left, fmaxf(1.0f - t, -1.0f)};
  }
}

template <class Scoring>
__device__ void scatterCompton(const Job& job, Scoring& scoring, Xray& xray) {
  ++xray.scatters;
  const Compton compton = comptonOf(job, xray);
  const float energy = xray.energy * compton.left;
  xray.way = transport::turned(xray.way, compton.cosine, transport::unit(draw(job, xray).first));
  const bool isDone = energy < leastEnergy;
  deposit(job, scoring, xray, xray.energy, isDone ? 0.0f : energy);
  xray.energy = energy;
  xray.state = isDone ? State::New : State::Delta;
}

/// What is counted once for each X-ray.
template <class Scoring>
__device__ void finishXray(const Job& job, Scoring& scoring, const Xray& xray) {
  scoring.count(job, xray, &Counters::xrays, Score{1});
  scoring.count(job, xray, &Counters::deltas, static_cast<Score>(xray.deltas));
  if (xray.scatters != 0) {
    scoring.count(job, xray, &Counters::rayleighs, static_cast<Score>(xray.scatters >> 16));
    scoring.count(job, xray, &Counters::comptons, static_cast<Score>(xray.scatters & 0xffffu));
  }
}

} // namespace xray
