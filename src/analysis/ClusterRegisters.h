// SPDX-License-Identifier: Apache-2.0
//
// The special registers that say where a block is in its cluster, and the cluster in the grid.
#pragma once

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace heddle::analysis {

/// One of those, which are the same for all threads of a block.
inline bool isClusterRegister(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::nvvm_read_ptx_sreg_clusterid_x:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_clusterid_y:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_clusterid_z:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nclusterid_x:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nclusterid_y:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_nclusterid_z:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_x:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_y:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_z:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_x:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_y:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_z:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_cluster_ctarank:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_cluster_nctarank:
    return true;
  default:
    return false;
  }
}

} // namespace heddle::analysis
