// SPDX-License-Identifier: Apache-2.0
//
// Which lines of two texts are the same: the shortest edit, after Myers (An O(ND) difference algorithm, 1986).
// Common lines at both ends are taken off first. Texts that differ too much are taken to differ everywhere.

export interface DiffRow {
  before: number; ///< line number, 0: only in the second
  after: number;
}

const mostEdits = 1500;

/// The way from (0, 0) to (n, m) as the furthest points of each number of edits.
function trace(a: readonly string[], b: readonly string[]): Int32Array[] | undefined {
  const most = Math.min(a.length + b.length, mostEdits);
  const offset = most + 1;
  const furthest = new Int32Array(2 * most + 3);
  const steps: Int32Array[] = [];
  for (let edits = 0; edits <= most; ++edits) {
    steps.push(furthest.slice(offset - edits - 1, offset + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && furthest[offset + k - 1]! < furthest[offset + k + 1]!);
      let x = down ? furthest[offset + k + 1]! : furthest[offset + k - 1]! + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) ++x;
      furthest[offset + k] = x;
      if (x >= a.length && x - k >= b.length) return steps;
    }
  }
  return undefined;
}

function middleRows(a: readonly string[], b: readonly string[], skip: number): DiffRow[] {
  const rows: DiffRow[] = [];
  const steps = trace(a, b);
  if (!steps) {
    a.forEach((_, i) => rows.push({ before: skip + i + 1, after: 0 }));
    b.forEach((_, i) => rows.push({ before: 0, after: skip + i + 1 }));
    return rows;
  }
  let x = a.length;
  let y = b.length;
  for (let edits = steps.length - 1; edits >= 0; --edits) {
    const furthest = steps[edits]!;
    const at = (k: number): number => furthest[k + edits + 1] ?? 0;
    const k = x - y;
    const down = k === -edits || (k !== edits && at(k - 1) < at(k + 1));
    const fromX = edits === 0 ? 0 : at(down ? k + 1 : k - 1);
    const fromY = edits === 0 ? 0 : fromX - (down ? k + 1 : k - 1);
    while (x > fromX && y > fromY && a[x - 1] === b[y - 1]) {
      rows.push({ before: skip + x, after: skip + y });
      --x;
      --y;
    }
    if (edits === 0) break;
    if (down) rows.push({ before: 0, after: skip + y--});
    else rows.push({ before: skip + x--, after: 0 });
  }
  return rows.reverse();
}

export function diffLines(a: readonly string[], b: readonly string[]): DiffRow[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) ++head;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) ++tail;
  const rows: DiffRow[] = [];
  for (let i = 1; i <= head; ++i) rows.push({ before: i, after: i });
  rows.push(...middleRows(a.slice(head, a.length - tail), b.slice(head, b.length - tail), head));
  for (let i = tail - 1; i >= 0; --i) rows.push({ before: a.length - i, after: b.length - i });
  return rows;
}
