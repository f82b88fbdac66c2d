#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the programs that must pass with nvcc and runs each on this machine's GPU.
# usage: run_on_gpu.sh [NAME...]      NAME as in features/switch.cu or coverage/rdc-two-files; all without one
# A program may have `// FLAGS: ...`, of which nvcc gets what is not Heddle's own; a folder is one program.
# What Heddle refuses (`// REFUSED: ...`) may do otherwise here.
# What each program prints is added to the file $OUTPUTS where that is set.
# Prints "NAME PASS|FAIL|..." for each, the output of those that failed, and a summary.
set -uo pipefail
cd "$(dirname "$0")" || exit
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export nvcc work

if [ $# -eq 0 ]; then
  set -- features/*.cu traps/*.cu traps/*.c traps/*.cpp lessons/*.cu apps/*.cu coverage/*.cu coverage/*/
  set -- "${@%/}"
fi

compile() {
  local out="$work/${1//\//_}"
  local sources=("$1") flags=()
  [ -d "$1" ] && sources=("$1"/*.cu)
  read -ra flags <<<"$(sed -n 's#^// FLAGS: ##p' "${sources[0]}" | sed 's#--keep-going##')"
  case $1 in
  *.c) "$nvcc" -o "$out" "$1" ;;
  coverage/*) "$nvcc" -arch=sm_90 -std=c++17 -I../../cuda/include "${flags[@]}" -o "$out" "${sources[@]}" ;;
  *)
    "$nvcc" -arch=sm_90 -std=c++17 --expt-relaxed-constexpr -I../../cuda/include -Xcompiler -pthread,-fopenmp \
      "${flags[@]}" -o "$out" "$1"
    ;;
  esac >"$out.compile" 2>&1
}
export -f compile
printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} bash -c 'compile {}'

passed=0 failed=0 differs=0
for name in "$@"; do
  binary="$work/${name//\//_}"
  if [ ! -x "$binary" ]; then
    verdict="DOES NOT COMPILE"
    log="$binary.compile"
  else
    log="$binary.log"
    timeout 20 "$binary" >"$log" 2>&1
    status=$?
    [ -z "${OUTPUTS:-}" ] || { echo "=== $name" && cat "$log"; } >>"$OUTPUTS"
    if [ $status -eq 0 ] && grep -q '^PASS$' "$log"; then
      verdict=PASS
    elif [ $status -eq 124 ]; then
      verdict=TIMEOUT
    else
      verdict="FAIL ($status)"
    fi
  fi
  if [ "$verdict" = PASS ]; then
    passed=$((passed + 1))
  elif grep -qrE '^// (DIFFERS|REFUSED)' "$name"; then
    verdict="$verdict, may differ from Heddle"
    differs=$((differs + 1))
  else
    failed=$((failed + 1))
  fi
  echo "$name $verdict"
  [ "$verdict" = PASS ] || head -n 12 "$log" | sed 's/^/    /'
done
echo "passed $passed, failed $failed, may differ $differs"
[ $failed -eq 0 ]
