// SPDX-License-Identifier: Apache-2.0
//
// Graphs and stream capture.
#include "cudart/Graphs.h"
#include "cudart/Runtime.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <span>

namespace heddle::cudart {
namespace {

cudaError_t addNode(Runtime& runtime, cudaGraphNode_t* node, cudaGraph_t graph,
                    const cudaGraphNode_t* after, size_t count, GraphNode made) {
  Graph* const known = runtime.graphs.graphs.find(graph);
  if (node == nullptr || known == nullptr || (count > 0 && after == nullptr))
    return cudaErrorInvalidValue;
  made.after.assign(after, after + count);
  const bool isKnown = std::ranges::all_of(
      made.after, [&](cudaGraphNode_t each) { return runtime.graphs.nodes.find(each) != nullptr; });
  if (!isKnown)
    return cudaErrorInvalidValue;
  *node = runtime.graphs.nodes.create(std::move(made));
  known->nodes.push_back(*node);
  return cudaSuccess;
}

/// Every node behind those that it depends on, else as they were made; fewer where there is a
/// circle.
std::vector<cudaGraphNode_t> inOrder(Runtime& runtime, const Graph& graph) {
  std::vector<cudaGraphNode_t> order, left = graph.nodes;
  std::set<cudaGraphNode_t> done;
  while (!left.empty()) {
    const auto ready = std::ranges::find_if(left, [&](cudaGraphNode_t node) {
      return std::ranges::all_of(runtime.graphs.nodes.find(node)->after,
                                 [&](cudaGraphNode_t each) { return done.contains(each); });
    });
    if (ready == left.end())
      break;
    done.insert(*ready);
    order.push_back(*ready);
    left.erase(ready);
  }
  return order;
}

/// Nothing for a graph that is none, or that has a circle.
std::optional<GraphExec> makeExec(Runtime& runtime, cudaGraph_t graph) {
  const Graph* const known = runtime.graphs.graphs.find(graph);
  if (known == nullptr)
    return {};
  const std::vector<cudaGraphNode_t> order = inOrder(runtime, *known);
  if (order.size() < known->nodes.size())
    return {};
  GraphExec exec;
  for (const cudaGraphNode_t node : order)
    exec.nodes.emplace_back(node, *runtime.graphs.nodes.find(node));
  return exec;
}

GraphWork workOf(GraphExec exec) {
  return [exec = std::move(exec)](cudaStream_t stream) {
    for (const auto& [node, what] : exec.nodes)
      if (what.work)
        if (const cudaError_t status = what.work(stream); status != cudaSuccess)
          return status;
    return cudaSuccess;
  };
}

/// One value of 1, 2 or 4 bytes, over and over.
GraphWork setLater(cudaMemsetParams set) {
  return [set](cudaStream_t stream) {
    const size_t bytes = set.width * set.elementSize;
    if (set.elementSize == 1)
      return cudaMemset2DAsync(set.dst, std::max(set.pitch, bytes), int(set.value), bytes,
                               set.height, stream);
    std::vector<std::byte> row(bytes);
    for (size_t i = 0; i < set.width; ++i)
      std::memcpy(row.data() + i * set.elementSize, &set.value, set.elementSize);
    for (size_t y = 0; y < set.height; ++y)
      if (const cudaError_t status =
              cudaMemcpyAsync(static_cast<std::byte*>(set.dst) + y * set.pitch, row.data(), bytes,
                              cudaMemcpyHostToDevice, stream);
          status != cudaSuccess)
        return status;
    return cudaSuccess;
  };
}

std::optional<GraphWork> launchOf(Runtime& runtime, const cudaKernelNodeParams* parameters) {
  if (parameters == nullptr || parameters->kernelParams == nullptr)
    return {};
  return launchLater(runtime, parameters->func, parameters->gridDim, parameters->blockDim,
                     parameters->kernelParams, parameters->sharedMemBytes, false);
}

} // namespace
} // namespace heddle::cudart

using namespace heddle::cudart;

HEDDLE_API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  return call([&](Runtime& runtime) {
    if (stream == nullptr || stream == cudaStreamLegacy)
      return cudaErrorStreamCaptureUnsupported;
    if (!runtime.isStream(stream))
      return cudaErrorInvalidResourceHandle;
    if (runtime.graphs.captureOf(stream) != nullptr)
      return cudaErrorIllegalState;
    Capture capture;
    capture.graph = runtime.graphs.graphs.create({});
    capture.origin = stream;
    capture.last[stream] = std::nullopt;
    runtime.graphs.captures.push_back(std::move(capture));
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return call([&](Runtime& runtime) {
    auto& captures = runtime.graphs.captures;
    const auto found = std::ranges::find(captures, stream, &Capture::origin);
    if (graph == nullptr || found == captures.end())
      return cudaErrorIllegalState;
    *graph = found->graph;
    std::erase_if(runtime.graphs.recorded,
                  [&](const auto& event) { return event.second == found->graph; });
    captures.erase(found);
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return call([&](Runtime& runtime) {
    if (!runtime.isStream(stream))
      return cudaErrorInvalidResourceHandle;
    if (status == nullptr)
      return cudaErrorInvalidValue;
    *status = runtime.graphs.captureOf(stream) != nullptr ? cudaStreamCaptureStatusActive
                                                          : cudaStreamCaptureStatusNone;
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  return call([&](Runtime& runtime) {
    if (graph == nullptr || flags != 0)
      return cudaErrorInvalidValue;
    *graph = runtime.graphs.graphs.create({});
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call([&](Runtime& runtime) {
    const Graph* const known = runtime.graphs.graphs.find(graph);
    if (known == nullptr)
      return cudaErrorInvalidValue;
    for (const cudaGraphNode_t node : known->nodes)
      runtime.graphs.nodes.destroy(node);
    runtime.graphs.graphs.destroy(graph);
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return call([&](Runtime& runtime) {
    const Graph* const known = runtime.graphs.graphs.find(graph);
    if (clone == nullptr || known == nullptr)
      return cudaErrorInvalidValue;
    Graph made;
    std::map<cudaGraphNode_t, cudaGraphNode_t> copies;
    for (const cudaGraphNode_t node : known->nodes)
      copies[node] = made.nodes.emplace_back(
          runtime.graphs.nodes.create(GraphNode(*runtime.graphs.nodes.find(node))));
    for (const cudaGraphNode_t node : made.nodes)
      for (cudaGraphNode_t& each : runtime.graphs.nodes.find(node)->after)
        each = copies.at(each);
    *clone = runtime.graphs.graphs.create(std::move(made));
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                              const cudaGraphNode_t* after, size_t count,
                                              const cudaKernelNodeParams* parameters) {
  return call([&](Runtime& runtime) {
    auto work = launchOf(runtime, parameters);
    if (!work)
      return cudaErrorInvalidDeviceFunction;
    return addNode(runtime, node, graph, after, count,
                   {.type = cudaGraphNodeTypeKernel, .after = {}, .work = *std::move(work)});
  });
}

HEDDLE_API cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                              const cudaGraphNode_t* after, size_t count,
                                              const cudaMemcpy3DParms* parameters) {
  return call([&](Runtime& runtime) {
    if (parameters == nullptr)
      return cudaErrorInvalidValue;
    GraphWork work = [copy = *parameters](cudaStream_t stream) {
      return cudaMemcpy3DAsync(&copy, stream);
    };
    return addNode(runtime, node, graph, after, count,
                   {.type = cudaGraphNodeTypeMemcpy, .after = {}, .work = std::move(work)});
  });
}

HEDDLE_API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                                const cudaGraphNode_t* after, size_t count,
                                                void* to, const void* from, size_t size,
                                                cudaMemcpyKind kind) {
  return call([&](Runtime& runtime) {
    GraphWork work = [=](cudaStream_t stream) {
      return cudaMemcpyAsync(to, from, size, kind, stream);
    };
    return addNode(runtime, node, graph, after, count,
                   {.type = cudaGraphNodeTypeMemcpy, .after = {}, .work = std::move(work)});
  });
}

HEDDLE_API cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                              const cudaGraphNode_t* after, size_t count,
                                              const cudaMemsetParams* parameters) {
  return call([&](Runtime& runtime) {
    const bool isKnown =
        parameters != nullptr && (parameters->elementSize == 1 || parameters->elementSize == 2 ||
                                  parameters->elementSize == 4);
    if (!isKnown)
      return cudaErrorInvalidValue;
    return addNode(runtime, node, graph, after, count,
                   {.type = cudaGraphNodeTypeMemset, .after = {}, .work = setLater(*parameters)});
  });
}

HEDDLE_API cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                            const cudaGraphNode_t* after, size_t count,
                                            const cudaHostNodeParams* parameters) {
  return call([&](Runtime& runtime) {
    if (parameters == nullptr || parameters->fn == nullptr)
      return cudaErrorInvalidValue;
    GraphWork work = [host = *parameters](cudaStream_t stream) {
      return cudaLaunchHostFunc(stream, host.fn, host.userData);
    };
    return addNode(runtime, node, graph, after, count,
                   {.type = cudaGraphNodeTypeHost, .after = {}, .work = std::move(work)});
  });
}

HEDDLE_API cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* after, size_t count) {
  return call([&](Runtime& runtime) { return addNode(runtime, node, graph, after, count, {}); });
}

HEDDLE_API cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* after, size_t count,
                                                  cudaGraph_t child) {
  return call([&](Runtime& runtime) {
    auto exec = makeExec(runtime, child);
    if (!exec)
      return cudaErrorInvalidValue;
    return addNode(runtime, node, graph, after, count,
                   {.type = cudaGraphNodeTypeGraph, .after = {}, .work = workOf(*std::move(exec))});
  });
}

HEDDLE_API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                const cudaGraphNode_t* to, size_t count) {
  return call([&](Runtime& runtime) {
    if (runtime.graphs.graphs.find(graph) == nullptr || (count > 0 && (!from || !to)))
      return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) {
      GraphNode* const node = runtime.graphs.nodes.find(to[i]);
      if (node == nullptr || runtime.graphs.nodes.find(from[i]) == nullptr)
        return cudaErrorInvalidValue;
      node->after.push_back(from[i]);
    }
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return call([&](Runtime& runtime) {
    const Graph* const known = runtime.graphs.graphs.find(graph);
    if (known == nullptr || count == nullptr)
      return cudaErrorInvalidValue;
    if (nodes == nullptr)
      *count = known->nodes.size();
    else
      std::copy_n(known->nodes.begin(), *count = std::min(*count, known->nodes.size()), nodes);
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return call([&](Runtime& runtime) {
    const GraphNode* const known = runtime.graphs.nodes.find(node);
    if (known == nullptr || type == nullptr)
      return cudaErrorInvalidValue;
    *type = known->type;
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                    const cudaKernelNodeParams* parameters) {
  return call([&](Runtime& runtime) {
    GraphNode* const known = runtime.graphs.nodes.find(node);
    auto work = launchOf(runtime, parameters);
    if (known == nullptr || known->type != cudaGraphNodeTypeKernel || !work)
      return cudaErrorInvalidValue;
    known->work = *std::move(work);
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                            unsigned long long) {
  return call([&](Runtime& runtime) {
    auto made = makeExec(runtime, graph);
    if (exec == nullptr || !made)
      return cudaErrorInvalidValue;
    *exec = runtime.graphs.execs.create(*std::move(made));
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                     unsigned long long flags) {
  return cudaGraphInstantiate(exec, graph, flags);
}

HEDDLE_API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                        const cudaKernelNodeParams* parameters) {
  return call([&](Runtime& runtime) {
    GraphExec* const known = runtime.graphs.execs.find(exec);
    auto work = launchOf(runtime, parameters);
    if (known == nullptr || !work)
      return cudaErrorInvalidValue;
    const auto found =
        std::ranges::find(known->nodes, node, &decltype(known->nodes)::value_type::first);
    if (found == known->nodes.end() || found->second.type != cudaGraphNodeTypeKernel)
      return cudaErrorInvalidValue;
    found->second.work = *std::move(work);
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                           cudaGraphExecUpdateResultInfo* result) {
  return call([&](Runtime& runtime) {
    GraphExec* const known = runtime.graphs.execs.find(exec);
    auto made = makeExec(runtime, graph);
    if (known == nullptr || !made || result == nullptr)
      return cudaErrorInvalidValue;
    *result = {};
    const bool isSame =
        std::ranges::equal(known->nodes, made->nodes, [](const auto& one, const auto& other) {
          return one.second.type == other.second.type;
        });
    if (!isSame) {
      result->result = cudaGraphExecUpdateErrorTopologyChanged;
      return cudaErrorGraphExecUpdateFailure;
    }
    for (std::size_t i = 0; i < known->nodes.size(); ++i)
      known->nodes[i].second.work = made->nodes[i].second.work;
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t) {
  return call([&](Runtime& runtime) {
    return runtime.graphs.execs.find(exec) != nullptr ? cudaSuccess : cudaErrorInvalidValue;
  });
}

HEDDLE_API cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  GraphWork work;
  const cudaError_t status = call([&](Runtime& runtime) {
    const GraphExec* const known = runtime.graphs.execs.find(exec);
    if (known == nullptr)
      return cudaErrorInvalidValue;
    work = workOf(*known);
    return runtime.isStream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
  if (status != cudaSuccess)
    return status;
  return noteWork(stream, cudaGraphNodeTypeGraph, work) ? cudaSuccess : work(stream);
}

/// What graphs have allocated stays with them, so that nothing is left over.
HEDDLE_API cudaError_t cudaDeviceGraphMemTrim(int device) {
  return call([&](Runtime&) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}

HEDDLE_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return call([&](Runtime& runtime) {
    return runtime.graphs.execs.destroy(exec) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
