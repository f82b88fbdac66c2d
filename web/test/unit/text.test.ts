// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { extent, interval, percent, placeName, plural, roughInterval, short, shortName, signed, smallPercent, time, times, whole } from '../../src/format';
import { readLine, statesOf } from '../../src/highlight';
import { type Location, readLocation, writeLocation } from '../../src/state';

describe('names', () => {
  it('of templates keep what tells them apart', () => {
    const name = `evaluate<${'Matrix<float>, '.repeat(30)}double>`;
    expect(shortName('evaluate<float>')).toBe('evaluate<float>');
    expect(shortName(name)).toHaveLength(60);
    expect(shortName(name)).toMatch(/^evaluate<Matrix.* \u2026 .*double>$/);
  });
});

describe('numbers', () => {
  it('are those of the text report', () => {
    expect(percent(0.538)).toBe('53.8\u00a0%');
    expect(short(1234567)).toBe('1.23\u00a0M');
    expect(short(7)).toBe('7');
    expect([0, 0.0002, 0.0006].map(smallPercent)).toEqual(['0.0\u00a0%', '< 0.1\u00a0%', '0.1\u00a0%']);
    expect([1.416, 23.57, 2086.35].map(times)).toEqual(['1.42x', '23.6x', '2\u2009086x']);
    expect(whole(12662386)).toBe('12\u2009662\u2009386');
    expect(time(1.7979e-5)).toBe('18\u00a0us');
    expect(roughInterval(3.75e-2, 9.38e-3, 0.286)).toBe('about 40\u00a0ms (9 to 300)');
    expect(interval(1.7979e-5, 1.708e-5, 2.139e-5)).toBe('18\u00a0us (17 to 21)');
    expect(extent([512, 1, 1])).toBe('512');
    expect(extent([16, 16, 1])).toBe('(16,16)');
    expect(placeName({ file: 'a/b/c.cu', line: 4 })).toBe('c.cu:4');
    expect(placeName({ file: '', line: 0 })).toBe('unknown place');
    expect(signed(-1.26, 1)).toBe('\u22121.3');
    expect(signed(-0.01, 1)).toBe('0');
    expect(plural(1, 'launch', 'launches')).toBe('1 launch');
  });
});

describe('highlighting', () => {
  const kinds = (line: string, state: 'code' | 'comment' = 'code'): string[] => readLine(line, state).tokens.map((token) => token.kind);

  it('keeps every letter', () => {
    for (const line of ['', '  x = "a\\"b" + 1.5e-3f; // c', "char c = '\\'';", '#include <x> /* a */ b', '/* open', '"no end', '1\u00e9\u4e2d'])
      expect(readLine(line, 'code').tokens.map((token) => token.text).join('')).toBe(line);
  });
  it('knows words, numbers, comments and directives', () => {
    expect(kinds('while')).toEqual(['keyword']);
    expect(kinds('__global__')).toEqual(['cuda']);
    expect(kinds('threadIdx')).toEqual(['cuda']);
    expect(kinds('1e-6f')).toEqual(['number']);
    expect(kinds('  #pragma unroll')[0]).toBe('directive');
    expect(kinds('// if "x')).toEqual(['comment']);
  });
  it('goes over lines inside a comment', () => {
    expect(statesOf(['a /* b', 'c */ d', 'e'])).toEqual(['code', 'comment', 'code']);
    expect(kinds('x */ int', 'comment')).toEqual(['comment', 'text', 'keyword']);
  });
});

describe('the address', () => {
  const now: Location = { view: 'source', run: 0, kernel: 2, file: '', line: 0, warp: 0, other: -1 };

  it('comes back as it was written', () => {
    for (const at of [
      { ...now, file: 'a b/"><x>.cu', line: 21 },
      { ...now, view: 'lanes' as const, run: 1, warp: 2, other: 1000 },
      { ...now, view: 'compare' as const, run: 1, other: 0 },
      { ...now, kernel: 'all' as const },
    ])
      expect(readLocation(writeLocation(at), now)).toEqual(at);
  });
  it('may be anything', () => {
    expect(readLocation('#nothing?kernel=-3&line=x', now)).toEqual(now);
    expect(readLocation('', now)).toEqual(now);
  });
});
