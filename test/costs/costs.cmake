# SPDX-License-Identifier: Apache-2.0
# The tests that take longest begin first, so that no long one runs alone at the end. ctest knows that by itself from the second run on;
# a clean clone does not. Numbers are rough seconds; only their order counts.
set(costs
    studies.all 150
    programs.features.memory-functions.cu 110
    cli.ptx 90
    cli.tune 80
    programs.features.cub-device.cu 60
    rewrite.lit 60
    fuzz.rewrites.0 50
    fuzz.rewrites.1 50
    fuzz.rewrites.2 50
    fuzz.rewrites.full 50
    page.browser 50
    library.split 50
    library.reduce 50
    library.regroup 40
    library.schedule 40
    transport.xray 40
    cli.fix_tools 40
    cli.verdicts 40
    cli.sweep_ranks 30
    programs.features.wmma.cu 30
    programs.coverage.libcu-pipeline.cu 30
    fuzz.kernels.program 30
    fuzz.graphs.full 25
    cli.cache 25
    cli.stored_ptx 25
    cli.sweep_faults 25
    examples.fix 25
    examples.01-divergence.8800gtx 25
    examples.02-decision-mask.8800gtx 25
    transport.photon 25
    library.tree_reduce 25
    programs.features.curand-kernel.cu 25)
list(LENGTH costs length)
math(EXPR last "${length} - 1")
foreach(index RANGE 0 ${last} 2)
  math(EXPR next "${index} + 1")
  list(GET costs ${index} name)
  list(GET costs ${next} seconds)
  set_tests_properties(${name} PROPERTIES COST ${seconds})
endforeach()
