// SPDX-License-Identifier: Apache-2.0
//
// Graphs: work that is written down, to be done later and often. What streams would do at once they
// note while they are captured. Nodes are done one after the other, in an order that their
// dependencies allow.
#pragma once

#include "cudart/CudaTypes.h"
#include "cudart/HandleTable.h"

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace heddle::cudart {

class Runtime;

/// Calls the API again, so that it must run without the lock.
using GraphWork = std::function<cudaError_t(cudaStream_t)>;

struct GraphNode {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  std::vector<cudaGraphNode_t> after;
  GraphWork work; ///< nothing for an empty node
};

struct Graph {
  std::vector<cudaGraphNode_t> nodes; ///< as they were made
};

/// A graph that can be launched: nodes in the order in which they run.
struct GraphExec {
  std::vector<std::pair<cudaGraphNode_t, GraphNode>> nodes;
};

/// What streams note at the moment.
struct Capture {
  cudaGraph_t graph = nullptr;
  cudaStream_t origin = nullptr;
  std::map<cudaStream_t, std::optional<cudaGraphNode_t>> last; ///< of each stream that takes part
};

struct Graphs {
  HandleTable<cudaGraph_t, Graph> graphs;
  HandleTable<cudaGraphNode_t, GraphNode> nodes;
  HandleTable<cudaGraphExec_t, GraphExec> execs;
  std::vector<Capture> captures;
  std::map<cudaEvent_t, cudaGraph_t> recorded; ///< events that a captured stream recorded

  Capture* captureOf(cudaStream_t stream);
};

/// Notes work of a stream that is captured. False where it is not: then the work is to be done.
bool noteWork(cudaStream_t stream, cudaGraphNodeType type, GraphWork work);

/// The same for events, which only tie streams together.
bool noteEvent(cudaEvent_t event, cudaStream_t stream);
bool noteWait(cudaStream_t stream, cudaEvent_t event);

/// A launch with a copy of its arguments; nothing where the function is no kernel.
std::optional<GraphWork> launchLater(Runtime& runtime, const void* function, dim3 grid, dim3 block,
                                     void** arguments, std::size_t shared, bool cooperative,
                                     std::optional<dim3> cluster = {});

/// Notes a launch on a stream that is captured: an answer where it is.
std::optional<cudaError_t> noteLaunch(const void* function, dim3 grid, dim3 block, void** arguments,
                                      std::size_t shared, cudaStream_t stream, bool cooperative,
                                      std::optional<dim3> cluster = {});

} // namespace heddle::cudart
