// SPDX-License-Identifier: Apache-2.0
#include "cudart/Graphs.h"

#include "cudart/Launches.h"

#include <algorithm>
#include <memory>

namespace heddle::cudart {
namespace {

/// The runtime where a stream may be captured: most programs never do that.
Runtime* capturing() {
  Runtime* const runtime = Runtime::ifStarted();
  return runtime != nullptr && !runtime->graphs.captures.empty() ? runtime : nullptr;
}

cudaGraphNode_t append(Graphs& graphs, Capture& capture, cudaStream_t stream, GraphNode node) {
  std::optional<cudaGraphNode_t>& last = capture.last[stream];
  if (last)
    node.after.push_back(*last);
  last = graphs.nodes.create(std::move(node));
  graphs.graphs.find(capture.graph)->nodes.push_back(*last);
  return *last;
}

} // namespace

Capture* Graphs::captureOf(cudaStream_t stream) {
  const auto found = std::ranges::find_if(
      captures, [&](const Capture& capture) { return capture.last.contains(stream); });
  return found == captures.end() ? nullptr : &*found;
}

bool noteWork(cudaStream_t stream, cudaGraphNodeType type, GraphWork work) {
  const std::lock_guard lock(apiMutex());
  Runtime* const runtime = capturing();
  Capture* const capture = runtime != nullptr ? runtime->graphs.captureOf(stream) : nullptr;
  if (capture == nullptr)
    return false;
  append(runtime->graphs, *capture, stream, {.type = type, .after = {}, .work = std::move(work)});
  return true;
}

bool noteEvent(cudaEvent_t event, cudaStream_t stream) {
  const std::lock_guard lock(apiMutex());
  Runtime* const runtime = capturing();
  if (runtime == nullptr)
    return false;
  const Capture* const capture = runtime->graphs.captureOf(stream);
  if (capture == nullptr) {
    runtime->graphs.recorded.erase(event);
    return false;
  }
  runtime->graphs.recorded[event] = capture->graph;
  return true;
}

bool noteWait(cudaStream_t stream, cudaEvent_t event) {
  const std::lock_guard lock(apiMutex());
  Runtime* const runtime = capturing();
  if (runtime == nullptr)
    return false;
  const auto recorded = runtime->graphs.recorded.find(event);
  if (recorded == runtime->graphs.recorded.end())
    return false;
  for (Capture& capture : runtime->graphs.captures)
    if (capture.graph == recorded->second)
      capture.last.try_emplace(stream); // it takes part from now on
  return true;
}

namespace {

cudaError_t launchInClusters(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared, cudaStream_t stream, bool cooperative,
                             dim3 cluster) {
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = cluster.x;
  attributes[0].val.clusterDim.y = cluster.y;
  attributes[0].val.clusterDim.z = cluster.z;
  attributes[1].id = cudaLaunchAttributeCooperative;
  attributes[1].val.cooperative = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = cooperative ? 2 : 1;
  return cudaLaunchKernelExC(&config, function, arguments);
}

} // namespace

std::optional<GraphWork> launchLater(Runtime& runtime, const void* function, dim3 grid, dim3 block,
                                     void** arguments, std::size_t shared, bool cooperative,
                                     std::optional<dim3> cluster) {
  const ReadyKernel kernel = prepareKernel(runtime, function);
  if (kernel.entry == nullptr)
    return {};
  auto values = std::make_shared<std::vector<std::vector<std::byte>>>();
  for (std::size_t i = 0; i < kernel.code->argumentSizes().size(); ++i) {
    const auto* begin = static_cast<const std::byte*>(arguments[i]);
    values->emplace_back(begin, begin + kernel.code->argumentSizes()[i]);
  }
  return [=](cudaStream_t stream) {
    std::vector<void*> places;
    for (std::vector<std::byte>& value : *values)
      places.push_back(value.data());
    if (cluster)
      return launchInClusters(function, grid, block, places.data(), shared, stream, cooperative,
                              *cluster);
    const auto launch = cooperative ? cudaLaunchCooperativeKernel : cudaLaunchKernel;
    return launch(function, grid, block, places.data(), shared, stream);
  };
}

std::optional<cudaError_t> noteLaunch(const void* function, dim3 grid, dim3 block, void** arguments,
                                      std::size_t shared, cudaStream_t stream, bool cooperative,
                                      std::optional<dim3> cluster) {
  std::optional<GraphWork> work;
  {
    const std::lock_guard lock(apiMutex());
    Runtime* const runtime = capturing();
    if (runtime == nullptr || runtime->graphs.captureOf(stream) == nullptr)
      return {};
    work = launchLater(*runtime, function, grid, block, arguments, shared, cooperative, cluster);
  }
  if (!work)
    return record(cudaErrorInvalidDeviceFunction);
  noteWork(stream, cudaGraphNodeTypeKernel, *std::move(work));
  return cudaSuccess;
}

} // namespace heddle::cudart
