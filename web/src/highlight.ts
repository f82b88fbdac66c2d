// SPDX-License-Identifier: Apache-2.0
//
// CUDA C++ in colours, a line at a time. A line is read given the state in which the line before it ended,
// so that a view which shows forty lines of a file reads forty lines.

export type TokenKind = 'text' | 'comment' | 'string' | 'keyword' | 'cuda' | 'number' | 'directive';

export interface Token {
  kind: TokenKind;
  text: string;
}

/// Inside a comment over several lines, or not. Raw strings over several lines are shown as code.
export type State = 'code' | 'comment';

const keywords = new Set(
  ('alignas auto bool break case catch char class const constexpr consteval continue decltype default delete do ' +
    'double else enum explicit extern false float for friend goto if inline int long mutable namespace new noexcept ' +
    'nullptr operator private protected public register return short signed sizeof static static_assert struct ' +
    'switch template this throw true try typedef typename union unsigned using virtual void volatile while').split(' '),
);

const cudaWord =
  /^(__(global|device|host|shared|constant|managed|restrict|launch_bounds|noinline|forceinline|syncthreads|syncwarp)\w*__|__\w+(_sync|warp|threads)|threadIdx|blockIdx|blockDim|gridDim|warpSize)$|^__(syncthreads|syncwarp|ballot|shfl|any|all|activemask|popc|ffs)/;

const token =
  /\/\/.*|\/\*|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[A-Za-z_]\w*|(?:\d|\.\d)(?:[\w.]|'\d|(?<=[eEpP])[+-])*|\s+|./gy;

function wordKind(word: string): TokenKind {
  if (keywords.has(word)) return 'keyword';
  return cudaWord.test(word) ? 'cuda' : 'text';
}

function kindOf(text: string): TokenKind {
  const first = text[0] ?? '';
  if (text.startsWith('//')) return 'comment';
  if (first === '"' || first === "'") return 'string';
  if (/[A-Za-z_]/.test(first)) return wordKind(text);
  return /^\.?\d/.test(text) ? 'number' : 'text';
}

export function readLine(line: string, before: State): { tokens: Token[]; after: State } {
  const tokens: Token[] = [];
  const add = (kind: TokenKind, text: string): void => {
    const last = tokens[tokens.length - 1];
    if (last && last.kind === kind) last.text += text;
    else if (text !== '') tokens.push({ kind, text });
  };
  let place = 0;
  let state = before;
  const directive = state === 'code' && /^\s*#\s*\w+/.exec(line);
  if (directive) {
    add('directive', directive[0]);
    place = directive[0].length;
  }
  while (place < line.length) {
    if (state === 'comment') {
      const end = line.indexOf('*/', place);
      const stop = end < 0 ? line.length : end + 2;
      add('comment', line.slice(place, stop));
      state = end < 0 ? 'comment' : 'code';
      place = stop;
      continue;
    }
    token.lastIndex = place;
    const text = token.exec(line)?.[0] ?? line.slice(place);
    if (text === '/*') {
      state = 'comment';
      add('comment', text);
    } else {
      add(kindOf(text), text);
    }
    place += text.length;
  }
  return { tokens, after: state };
}

/// The state at the start of each line.
export function statesOf(lines: readonly string[]): State[] {
  const states: State[] = [];
  let state: State = 'code';
  for (const line of lines) {
    states.push(state);
    if (state === 'comment' || line.includes('/*')) state = readLine(line, state).after;
  }
  return states;
}
