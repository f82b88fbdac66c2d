// SPDX-License-Identifier: Apache-2.0
//
// Numbers as the text report writes them.

/// Between a number and its unit: a line must not break there.
const space = '\u00a0';

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)}${space}%`;
}

/// For a list: a share that is there, but would read 0.0 %.
export function smallPercent(share: number): string {
  return share > 0 && share < leastShare ? `< 0.1${space}%` : percent(share);
}

/// What percent() would round to nothing.
export const leastShare = 0.0005;

/// "1.2 G", "35 k", "7"
export function short(value: number): string {
  for (const [unit, name] of [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']] as const)
    if (value >= unit) return `${Number((value / unit).toPrecision(3))}${space}${name}`;
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

/// "12 662 386", with thin spaces
export function whole(value: number): string {
  return Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, '\u2009');
}

function unitFor(seconds: number): [number, string] {
  if (seconds >= 1) return [1, 's'];
  if (seconds >= 1e-3) return [1e-3, 'ms'];
  return seconds >= 1e-6 ? [1e-6, 'us'] : [1e-9, 'ns'];
}

export function time(seconds: number): string {
  const [unit, name] = unitFor(seconds);
  return `${Number((seconds / unit).toPrecision(3))}${space}${name}`;
}

function range(seconds: number, low: number, high: number, digits: number, endDigits: number): string {
  const [unit, name] = unitFor(seconds);
  const shown = (value: number, precision: number): string => String(Number((value / unit).toPrecision(precision)));
  return `${shown(seconds, digits)}${space}${name} (${shown(low, endDigits)} to ${shown(high, endDigits)})`;
}

/// "18 us (17 to 21)": the ends in the unit of the middle
export function interval(seconds: number, low: number, high: number): string {
  return range(seconds, low, high, 3, 2);
}

/// "about 20 us (7 to 90)"
export function roughInterval(seconds: number, low: number, high: number): string {
  return `about ${range(seconds, low, high, 1, 1)}`;
}

/// "18 us", for the ends of an interval
export function roughTime(seconds: number): string {
  const [unit, name] = unitFor(seconds);
  return `${Number((seconds / unit).toPrecision(2))}${space}${name}`;
}

/// "1.42x", "23.6x", "2 086x"
export function times(factor: number): string {
  return factor >= 100 ? `${whole(factor)}x` : `${factor.toFixed(factor >= 10 ? 1 : 2)}x`;
}

/// A name of a kernel of at most some letters: its beginning and its end, which tell templates apart.
export function shortName(name: string, most = 60): string {
  if (name.length <= most) return name;
  const half = Math.floor((most - 3) / 2);
  return `${name.slice(0, most - 3 - half)} \u2026 ${name.slice(-half)}`;
}

export function extent(size: readonly [number, number, number]): string {
  if (size[2] > 1) return `(${size.join(',')})`;
  return size[1] > 1 ? `(${size[0]},${size[1]})` : String(size[0]);
}

export function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

export function placeName(place: { file: string; line: number }): string {
  return place.file === '' ? 'unknown place' : `${baseName(place.file)}:${place.line}`;
}

export function signed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return '0';
  return (value < 0 ? '\u2212' : '+') + text;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${whole(count)} ${count === 1 ? one : many}`;
}
