// SPDX-License-Identifier: Apache-2.0
//
//   1. lengths, which the marks of blocks have
//   2. who waits where lanes meet: BSYNC, at the end of a block or of an edge
//   3. steps, where the marks have plans
#include "lowering/MachineCode.h"

#include "lowering/StrongLoads.h"

#include "ptx/BlockMark.h"
#include "ptx/MachinePlan.h"

#include <algorithm>
#include <array>
#include <map>

namespace heddle::lowering {
namespace {

using profile::AccessKind;
using profile::MemorySpace;
using profile::Step;
using profile::StepKind;
using profile::Unit;

/// What an instruction of Volta and later asks for, by the low 9 bits of its encoding. Read from
/// what cuobjdump prints; NVIDIA does not document them.
struct CodeRow {
  std::uint16_t code;
  Unit unit;
  StepKind kind = StepKind::Compute;
  AccessKind access = AccessKind::Load;
  MemorySpace space = MemorySpace::Global;
};

constexpr std::uint16_t loadOfConstants = 0x182; // LDC

constexpr CodeRow codes[] = {
    {0x002, Unit::Int32},                      // MOV
    {0x003, Unit::Int32},                      // P2R
    {0x004, Unit::Int32},                      // R2P
    {0x005, Unit::Int32},                      // CS2R
    {0x006, Unit::Vote},                       // VOTE
    {0x007, Unit::Int32},                      // SEL
    {0x008, Unit::Int32},                      // FSEL
    {0x009, Unit::Int32},                      // FMNMX
    {0x00a, Unit::Int32},                      // FSET
    {0x00b, Unit::Int32},                      // FSETP
    {0x00c, Unit::Int32},                      // ISETP
    {0x00f, Unit::Int32},                      // VIMNMX3
    {0x010, Unit::Int32},                      // IADD3
    {0x011, Unit::Int32},                      // LEA
    {0x012, Unit::Int32},                      // LOP3
    {0x013, Unit::Int32},                      // IABS
    {0x016, Unit::Int32},                      // PRMT
    {0x017, Unit::Int32},                      // IMNMX
    {0x019, Unit::Shift},                      // SHF
    {0x01c, Unit::Int32},                      // PLOP3
    {0x020, Unit::Fp32},                       // FMUL
    {0x021, Unit::Fp32},                       // FADD
    {0x023, Unit::Fp32},                       // FFMA
    {0x024, Unit::IntMultiply},                // IMAD, also where it moves, adds or shifts
    {0x025, Unit::IntMultiply},                // IMAD.WIDE
    {0x027, Unit::IntMultiply},                // IMAD.HI
    {0x028, Unit::Fp64},                       // DMUL
    {0x029, Unit::Fp64},                       // DADD
    {0x02a, Unit::Fp64},                       // DSETP
    {0x02b, Unit::Fp64},                       // DFMA
    {0x030, Unit::Fp32},                       // HADD2
    {0x031, Unit::Fp32},                       // HFMA2
    {0x032, Unit::Fp32},                       // HMUL2
    {0x035, Unit::Fp32},                       // HFMA2.MMA, which also moves constants
    {0x036, Unit::IntMultiply},                // VIADD: sums of IADD3 and VIADD go on together
    {0x045, Unit::IntToFloat},                 // I2FP
    {0x046, Unit::Int32},                      // VIADDMNMX
    {0x048, Unit::Int32},                      // VIMNMX
    {0x100, Unit::Special},                    // FLO
    {0x101, Unit::Special},                    // BREV
    {0x102, Unit::Special},                    // FCHK
    {0x104, Unit::Convert},                    // F2F
    {0x105, Unit::Convert},                    // F2I
    {0x106, Unit::Convert},                    // I2F
    {0x107, Unit::Convert},                    // FRND
    {0x108, Unit::Special},                    // MUFU
    {0x109, Unit::Special},                    // POPC
    {0x10c, Unit::Convert},                    // I2F of 64 bits
    {0x110, Unit::Convert},                    // F2F of 64 bits
    {0x111, Unit::Convert},                    // F2I of 64 bits
    {0x112, Unit::Convert},                    // I2F of 64 bits
    {0x113, Unit::Convert},                    // FRND of 64 bits
    {0x119, Unit::Special},                    // S2R
    {0x11d, Unit::Control, StepKind::Barrier}, // BAR
    {0x148, Unit::Control, StepKind::Gather},  // WARPSYNC
    {0x180, Unit::LoadStore, StepKind::Access},
    {0x181, Unit::LoadStore, StepKind::Access},
    {loadOfConstants, Unit::LoadStore, StepKind::Access, AccessKind::Load, MemorySpace::Shared},
    {0x183, Unit::LoadStore, StepKind::Access, AccessKind::Load, MemorySpace::Local},
    {0x184, Unit::LoadStore, StepKind::Access, AccessKind::Load, MemorySpace::Shared},
    {0x185, Unit::LoadStore, StepKind::Access, AccessKind::Store},
    {0x186, Unit::LoadStore, StepKind::Access, AccessKind::Store},
    {0x187, Unit::LoadStore, StepKind::Access, AccessKind::Store, MemorySpace::Local},
    {0x188, Unit::LoadStore, StepKind::Access, AccessKind::Store, MemorySpace::Shared},
    {0x189, Unit::Shuffle}, // SHFL
    {0x18c, Unit::LoadStore, StepKind::Access, AccessKind::Atomic, MemorySpace::Shared},
    {0x18d, Unit::LoadStore, StepKind::Access, AccessKind::Atomic, MemorySpace::Shared},
    {0x18e, Unit::LoadStore, StepKind::Access, AccessKind::Atomic}, // RED
    {0x192, Unit::Control, StepKind::Fence},                        // MEMBAR
    {0x1a6, Unit::LoadStore, StepKind::Access, AccessKind::Atomic},
    {0x1a8, Unit::LoadStore, StepKind::Access, AccessKind::Atomic}, // ATOMG
    {0x1a9, Unit::LoadStore, StepKind::Access, AccessKind::Atomic},
    {0x1c3, Unit::Special}, // S2UR
    {0x1c4, Unit::Shuffle}, // REDUX
};
static_assert(std::ranges::is_sorted(codes, {}, &CodeRow::code));

/// Others take an issue slot alone: those for the whole warp and those for control.
CodeRow rowOf(std::uint16_t code) {
  const auto found = std::ranges::lower_bound(codes, code, {}, &CodeRow::code);
  return found != std::end(codes) && found->code == code ? *found : CodeRow{code, Unit::Control};
}

/// Where memory is accessed.
struct Site {
  int number = -1;
  bool isStrong = false;
};

std::vector<Step> stepsOf(const ptx::MachinePlan& plan,
                          const std::map<std::uint32_t, Site>& siteOfLine) {
  std::vector<Step> steps;
  for (const ptx::PlannedInstruction& each : plan.code) {
    const CodeRow row = rowOf(each.code);
    Step step{.kind = row.kind,
              .unit = row.unit,
              .access = row.access,
              .space = row.space,
              .bytes = 4,
              .isConstant = each.code == loadOfConstants,
              .stall = std::max<std::uint8_t>(each.stall, 1),
              .waits = each.waits,
              .sets = each.sets,
              .reads = each.reads};
    if (each.endsBlock && &each == &plan.code.back())
      step.kind = StepKind::Branch;
    if (const auto site = siteOfLine.find(each.line);
        row.kind == StepKind::Access && site != siteOfLine.end()) {
      step.site = site->second.number;
      step.isStrong = site->second.isStrong;
    }
    steps.push_back(step);
  }
  return steps;
}

// Step 1
struct MarkedBlocks {
  AccountLengths lengths;
  std::vector<ptx::Meeting> meetings; ///< by block: at its beginning
  bool isKnown = false;

  explicit MarkedBlocks(const analysis::ControlFlow& flow)
      : meetings(flow.blocks.size(), ptx::Meeting::None) {
    for (std::size_t block = 0; block < flow.blocks.size(); ++block)
      lengths.blocks.push_back(lengthOf(*flow.blocks[block], meetings[block]));
  }

private:
  std::uint32_t lengthOf(const llvm::BasicBlock& block, ptx::Meeting& meeting) {
    std::uint32_t length = 0;
    std::vector<std::uint32_t>& shares = lengths.instructions.emplace_back();
    for (const llvm::Instruction& instruction : block) {
      const auto mark = ptx::markOf(instruction);
      shares.push_back(mark || llvm::isa<llvm::PHINode>(instruction) ? 0 : 1);
      if (mark && mark->isBegin()) {
        meeting = mark->meeting;
      } else if (mark && mark->length) {
        length += *mark->length;
        isKnown = true;
      }
    }
    return length;
  }
};

/// Step 2: adds what those execute who come to a meeting. Returns the blocks that end in one.
std::vector<bool> addMeetings(const analysis::ControlFlow& flow, const analysis::Joins& joins,
                              MarkedBlocks& marked) {
  const auto waits = [&](std::size_t from, int to) {
    const ptx::Meeting meeting = marked.meetings[std::size_t(to)];
    return meeting == ptx::Meeting::All ||
           (meeting == ptx::Meeting::ByGoing && joins.contains(joins.loopOf(to), int(from)));
  };
  std::vector<bool> endInMeeting(flow.blocks.size());
  marked.lengths.edges.resize(flow.blocks.size());
  for (std::size_t block = 0; block < flow.blocks.size(); ++block) {
    const std::vector<int>& after = flow.successors[block];
    if (after.size() == 1 && waits(block, after.front())) {
      ++marked.lengths.blocks[block];
      endInMeeting[block] = true;
    }
    for (std::size_t side = 0; after.size() == 2 && side < 2; ++side)
      marked.lengths.edges[block][side] = waits(block, after[side]) ? 1 : 0;
  }
  return endInMeeting;
}

/// Step 3
std::vector<PlannedSteps> plannedSteps(const analysis::ControlFlow& flow,
                                       llvm::function_ref<int(const llvm::Instruction&)> siteOf,
                                       const std::vector<bool>& endInMeeting) {
  std::map<std::uint32_t, Site> siteOfLine;
  std::map<std::size_t, ptx::MachinePlan> plans;
  for (std::size_t block = 0; block < flow.blocks.size(); ++block)
    for (const llvm::Instruction& instruction : *flow.blocks[block]) {
      if (const int site = siteOf(instruction); site >= 0 && ptx::ptxLineOf(instruction) > 0)
        siteOfLine.emplace(ptx::ptxLineOf(instruction), Site{site, isStrongLoad(instruction)});
      const auto mark = ptx::markOf(instruction);
      if (auto plan = ptx::planOf(instruction); mark && mark->isBegin() && plan)
        plans.emplace(block, *std::move(plan));
    }
  if (plans.empty())
    return {};
  std::vector<PlannedSteps> all(flow.blocks.size());
  for (std::size_t block = 0; block < flow.blocks.size(); ++block) {
    if (const auto plan = plans.find(block); plan != plans.end())
      all[block] = {stepsOf(plan->second, siteOfLine), plan->second.rounds};
    if (endInMeeting[block])
      all[block].steps.push_back(stepToMeet());
  }
  return all;
}

} // namespace

Step stepToMeet() {
  constexpr std::uint8_t stallOfBsync = 5; // what ptxas plans for it
  return {.unit = Unit::Control, .stall = stallOfBsync};
}

std::optional<MachineCode> machineCodeOf(const analysis::ControlFlow& flow,
                                         const analysis::Joins& joins,
                                         llvm::function_ref<int(const llvm::Instruction&)> siteOf) {
  MarkedBlocks marked(flow);
  if (!marked.isKnown)
    return {};
  const std::vector<bool> endInMeeting = addMeetings(flow, joins, marked);
  return MachineCode{std::move(marked.lengths), plannedSteps(flow, siteOf, endInMeeting)};
}

} // namespace heddle::lowering
