// SPDX-License-Identifier: Apache-2.0
//
// The fields of a profile's JSON document, once for reading and writing: `describe` names a
// record's fields to a ProfileWriter or a ProfileReader (ProfileJson.cpp), in the order of the
// document.
#pragma once

#include "profile/ProgramProfile.h"
#include "profile/RecordedText.h"

namespace heddle::profile {

/// The words of the document, in the order of the enumerators.
inline constexpr const char* endingNames[] = {"complete", "fault", "interrupted"};
inline constexpr const char* accessKindNames[] = {"load", "store", "atomic"};
inline constexpr const char* memorySpaceNames[] = {"global", "shared", "local"};
inline constexpr const char* straySideNames[] = {"behind", "before", "outside"};

/// Of recorded warps; another one is another spelling.
inline constexpr std::uint64_t recordingFormat = 1;

/// A record to write, or one to read into.
template <class Record, class Type>
concept Is = std::same_as<std::remove_const_t<Record>, Type>;

inline double ratioOf(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : double(part) / double(whole);
}

template <class Fields> void describe(Fields& fields, Is<SourceLocation> auto& where) {
  fields.text("file", where.file);
  fields.integer("line", where.line);
  fields.integer("column", where.column);
}

template <class Fields> void describe(Fields& fields, Is<Site> auto& site) {
  describe(fields, site.where);
  fields.text("function", site.function);
  fields.list("inlinedAt", site.inlinedAt);
}

template <class Fields> void describe(Fields& fields, Is<BranchProfile> auto& branch) {
  describe(fields, branch.site);
  fields.integer("targets", branch.targets);
  fields.count("executions", branch.executions);
  fields.count("divergentExecutions", branch.divergentExecutions);
  fields.lanes("laneExecutions", "lanesTaken", branch.lanes);
  fields.count("lostSlots", branch.lostSlots);
  fields.number("lostCycles", branch.lostCycles);
  fields.numbers("pathRuns", branch.pathRuns);
  fields.numbers("pathInstructions", branch.pathInstructions);
  fields.countIfAny("switchedOff", branch.switchedOff);
}

template <class Fields> void describe(Fields& fields, Is<LineProfile> auto& line) {
  describe(fields, line.site);
  fields.count("warpInstructions", line.warpInstructions);
  fields.count("used", line.used);
  fields.count("switchedOff", line.switchedOff);
}

template <class Fields> void describe(Fields& fields, Is<LoopProfile> auto& loop) {
  describe(fields, loop.site);
  fields.count("lanes", loop.lanes);
  fields.count("iterations", loop.iterations);
  fields.derived("mean", [&] { return ratioOf(loop.iterations, loop.lanes); });
  fields.countIf(loop.lanes > 0, "fewest", loop.fewest);
  fields.count("most", loop.most);
  fields.firstNumbers("histogram", loop.histogram);
}

template <class Fields> void describe(Fields& fields, Is<MemoryProfile> auto& access) {
  describe(fields, access.site);
  fields.word("kind", access.kind, accessKindNames);
  fields.word("space", access.space, memorySpaceNames);
  fields.integer("bytesPerLane", access.bytesPerLane);
  fields.count("executions", access.executions);
  fields.count("lanes", access.lanes);
  fields.count("transactions", access.transactions);
  fields.count("ideal", access.ideal);
  fields.derived(access.space == MemorySpace::Shared ? "conflictDegree" : "sectorsPerRequest",
                 [&] { return ratioOf(access.transactions, access.executions); });
}

template <class Fields> void describe(Fields& fields, Is<KernelTiming> auto& timing) {
  fields.integer("registers", timing.registers.registers);
  fields.integer("spillBytes", timing.registers.spillBytes);
  fields.registerSource("registersFrom", timing.registers.source);
  fields.number("occupancy", timing.occupancy);
  fields.integer("residentBlocks", timing.residentBlocks);
  fields.text("limiter", timing.limiter);
  fields.number("seconds", timing.seconds);
  fields.number("lowSeconds", timing.low);
  fields.number("highSeconds", timing.high);
  fields.text("intervalFrom", timing.intervalFrom);
  fields.word("kind", timing.kind, timeKindNames);
  fields.number("longestSeconds", timing.longest);
  fields.number("cycles", timing.cycles);
  fields.derived("bound", [&] { return boundNames[std::size_t(timing.bound())]; });
  fields.named("secondsBy", boundNames, timing.secondsBy);
  fields.integer("sampledBlocks", timing.sampledBlocks);
  fields.number("spread", timing.spread);
}

template <class Fields> void describe(Fields& fields, Is<FirstTouch> auto& touch) {
  fields.count("bytes", touch.bytes);
  fields.number("seconds", touch.seconds);
  fields.number("prefetchSeconds", touch.prefetchSeconds);
}

template <class Fields> void describe(Fields& fields, Is<RecordedWarp> auto& warp) {
  fields.word("role", warp.role, warpRoleNames);
  fields.count("launch", warp.launch);
  fields.numbers("block", warp.block);
  fields.integer("warp", warp.warp);
  fields.spelled("threads", warp.threads, lanesText, readLanes);
  fields.count("instructions", warp.instructions);
  fields.count("recorded", warp.recorded);
  fields.count("fewer", warp.fewer);
  fields.spelledList("owners", warp.owners, ownersText, readOwners);
  fields.spelled("runs", warp.runs, runsText, readRuns);
}

template <class Fields> void describe(Fields& fields, Is<WarpRecords> auto& records) {
  fields.version("format", recordingFormat);
  fields.count("warps", records.warps);
  fields.list("places", records.places);
  fields.spelledList("stretches", records.stretches, stretchText, readStretch);
  fields.list("recorded", records.recorded);
}

template <class Fields> void describe(Fields& fields, Is<KernelTimeline> auto& timeline) {
  fields.integer("kernel", timeline.kernel);
  fields.number("seconds", timeline.seconds);
  fields.number("megahertz", timeline.megahertz);
  fields.count("multiprocessors", timeline.multiprocessors);
  fields.count("cycles", timeline.cycles);
  fields.number("part", timeline.part);
  fields.count("more", timeline.more);
  fields.spelledList("blocks", timeline.blocks, timelineText, readTimelineBlock);
}

template <class Fields> void describe(Fields& fields, Is<LineText> auto& line) {
  fields.text("file", line.file);
  fields.integer("line", line.line);
  fields.text("text", line.text);
}

template <class Fields> void describe(Fields& fields, Is<KernelProfile> auto& kernel) {
  fields.text("name", kernel.kernel);
  fields.text("id", kernel.id);
  fields.count("launches", kernel.launches);
  fields.countIfAny("deviceLaunches", kernel.deviceLaunches);
  fields.numbers("grid", kernel.grid);
  fields.numbers("block", kernel.block);
  fields.count("dynamicShared", kernel.dynamicShared);
  fields.count("staticShared", kernel.staticShared);
  fields.count("blocks", kernel.blocks);
  fields.count("memoryBlocks", kernel.memoryBlocks);
  fields.count("threadInstructions", kernel.threadInstructions);
  fields.count("warpInstructions", kernel.warpInstructions);
  fields.number("seconds", kernel.seconds);
  fields.derived("efficiency", [&] { return kernel.efficiency(); });
  fields.derived("averageActiveThreads", [&] { return kernel.averageActiveLanes(); });
  fields.countIfKnown("switchedOff", kernel.switchedOff);
  fields.derivedIfKnown("averageThreadsOn", [&] { return kernel.averageLanesOn(); });
  fields.number("laneCycles", kernel.laneCycles);
  fields.optional("timing", kernel.timing);
  fields.optionalIfAny("firstTouch", kernel.firstTouch);
  fields.lost("lost", kernel); // where every lost slot went
  fields.list("branches", kernel.branches);
  fields.listIfAny("lines", kernel.lines);
  fields.list("loops", kernel.loops);
  fields.list("memory", kernel.accesses);
  fields.optionalIfAny("recorded", kernel.recorded);
  fields.check(kernel);
}

template <class Fields> void describe(Fields& fields, Is<LaunchRecord> auto& launch) {
  fields.integer("kernel", launch.kernel);
  fields.numbers("grid", launch.grid);
  fields.numbers("block", launch.block);
  fields.count("warpInstructions", launch.warpInstructions);
  fields.count("threadInstructions", launch.threadInstructions);
  fields.number("seconds", launch.seconds);
  fields.number("estimatedSeconds", launch.estimatedSeconds);
  fields.optionalIfAny("firstTouch", launch.firstTouch);
}

template <class Fields> void describe(Fields& fields, Is<Remark> auto& remark) {
  describe(fields, remark.where);
  fields.text("kind", remark.kind);
  fields.text("text", remark.text);
  fields.count("count", remark.count);
}

template <class Fields> void describe(Fields& fields, Is<Stray> auto& stray) {
  describe(fields, stray.where);
  fields.text("kernel", stray.kernel);
  fields.word("kind", stray.kind, accessKindNames);
  fields.text("memory", stray.memory);
  fields.word("side", stray.side, straySideNames);
  fields.count("bytes", stray.bytes);
  fields.count("reach", stray.reach);
  fields.count("count", stray.count);
  fields.numbers("block", stray.block);
  fields.numbers("thread", stray.thread);
}

template <class Fields> void describe(Fields& fields, Is<ProgramProfile> auto& profile) {
  fields.text("device", profile.device);
  fields.text("reconvergence", profile.reconvergence);
  fields.word("ending", profile.ending, endingNames);
  fields.textOrNull("fault", profile.fault);
  fields.flagIfSet("faultMayPass", profile.faultMayPass);
  fields.list("kernels", profile.kernels);
  fields.list("launches", profile.launches);
  fields.listIfAny("remarks", profile.remarks);
  fields.listIfAny("strays", profile.strays);
  fields.listIfAny("lines", profile.lines);
  fields.listIfAny("timelines", profile.timelines);
  fields.check(profile);
}

} // namespace heddle::profile
