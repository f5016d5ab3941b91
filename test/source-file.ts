/**
 * The tokens, comments and imports of a TypeScript file. The compiler in use has no parser API; the
 * architecture rules need only tokens.
 */

import { dirname, join } from 'node:path/posix'

/** A token of code. For a template, only the text outside of `${}` counts. */
export type Token = {
  readonly kind: 'word' | 'string' | 'template' | 'regex' | 'punctuation'
  /** The text as written; for strings and templates, the text inside the quotes. */
  readonly text: string
  /** The position of `text` in the file. */
  readonly index: number
  readonly line: number
  readonly endLine: number
}

export type Comment = { readonly text: string; readonly line: number; readonly endLine: number }

export type Import = {
  /** A path from the repository's root (`server/platform/errors.ts`), or a package or builtin as written. */
  readonly target: string
  readonly isLocal: boolean
  readonly isTypeOnly: boolean
  /** The names between the braces, before `as`. */
  readonly names: readonly string[]
}

export type SourceFile = {
  /** The path from the repository's root, with forward slashes. */
  readonly path: string
  readonly text: string
  readonly tokens: readonly Token[]
  readonly comments: readonly Comment[]
  readonly imports: readonly Import[]
}

const wordPattern = /[\p{ID_Start}$_#\d][\p{ID_Continue}$\u200c\u200d]*/uy
const regexPattern = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/uy
// After these words, a slash begins a regular expression; after all others, it divides.
const wordsBeforeRegex = new Set(
  'return typeof case in of delete void throw new else do instanceof yield await'.split(' '),
)

/** Reads the tokens, comments and imports of a file. */
export function readSource(path: string, text: string): SourceFile {
  const { tokens, comments } = scan(text)
  return { path, text, tokens, comments, imports: findImports(path, tokens) }
}

/** Splits a text into tokens and comments; skips invalid input. */
function scan(text: string): { tokens: Token[]; comments: Comment[] } {
  const tokens: Token[] = []
  const comments: Comment[] = []
  // One entry for every open brace: whether it belongs to a template's `${`.
  const braces: boolean[] = []
  let at = 0
  let line = 1

  /** Reads the text up to `end` and counts its lines. */
  const take = (end: number): { text: string; line: number; endLine: number } => {
    const taken = text.slice(at, end)
    const from = line
    line += taken.split('\n').length - 1
    at = end
    return { text: taken, line: from, endLine: line }
  }
  const push = (kind: Token['kind'], end: number, quotes = 0): void => {
    const index = at + quotes
    const piece = take(end)
    const inner = piece.text.slice(quotes, piece.text.length - quotes)
    tokens.push({ ...piece, kind, index, text: inner })
  }
  /** Reads a template's text up to its end or its next `${`; `at` is after the opening quote. */
  const pushTemplate = (): void => {
    let end = at
    while (end < text.length && text[end] !== '`' && !text.startsWith('${', end)) {
      end += text[end] === '\\' ? 2 : 1
    }
    push('template', end)
    if (text[end] === '$') braces.push(true)
    take(end + (text[end] === '$' ? 2 : 1))
  }

  while (at < text.length) {
    const character = text.charAt(at)
    if (/\s/.test(character)) take(at + 1)
    else if (text.startsWith('//', at)) comments.push(take(getEnd(text, '\n', at, 0)))
    else if (text.startsWith('/*', at)) comments.push(take(getEnd(text, '*/', at + 2, 2)))
    else if (character === '`') {
      take(at + 1)
      pushTemplate()
    } else if (character === '}' && braces.pop()) {
      take(at + 1)
      pushTemplate()
    } else if (character === '"' || character === "'") {
      const end = endOfString(text, at)
      if (end === undefined) push('punctuation', at + 1)
      else push('string', end, 1)
    } else if (
      character === '/' &&
      mayBeginRegex(tokens.at(-1)) &&
      matchEnd(regexPattern, text, at)
    ) {
      push('regex', matchEnd(regexPattern, text, at) ?? at)
    } else {
      const end = matchEnd(wordPattern, text, at)
      if (end === undefined && character === '{') braces.push(false)
      push(end === undefined ? 'punctuation' : 'word', end ?? at + 1)
    }
  }
  return { tokens, comments }
}

function getEnd(text: string, mark: string, from: number, markLength: number): number {
  const found = text.indexOf(mark, from)
  return found === -1 ? text.length : found + markLength
}

/** Finds the end of the string that begins here; undefined if its line ends first (as in JSX). */
function endOfString(text: string, start: number): number | undefined {
  const quote = text[start]
  for (let at = start + 1; at < text.length && text[at] !== '\n'; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === quote) return at + 1
  }
  return undefined
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function mayBeginRegex(before: Token | undefined): boolean {
  if (before === undefined) return true
  if (before.kind === 'word') return wordsBeforeRegex.has(before.text)
  return before.kind === 'punctuation' && !')]}'.includes(before.text)
}

/** Finds static and dynamic imports, re-exports, and `new URL('./file.ts', import.meta.url)`. */
function findImports(path: string, tokens: readonly Token[]): Import[] {
  return tokens.flatMap((token, index) => {
    const specifier = token.kind === 'word' ? findSpecifier(tokens, index) : undefined
    if (specifier === undefined) return []
    const isLocal = specifier.text.startsWith('.')
    return {
      target: isLocal ? join(dirname(path), specifier.text) : specifier.text,
      isLocal,
      isTypeOnly: specifier.isStatic && tokens[index + 1]?.text === 'type',
      names: specifier.isStatic ? namesBetween(tokens.slice(index, specifier.index)) : [],
    }
  })
}

type Specifier = { readonly text: string; readonly index: number; readonly isStatic: boolean }

function findSpecifier(tokens: readonly Token[], index: number): Specifier | undefined {
  const [before, word, next, then] = [-1, 0, 1, 2].map((offset) => tokens[index + offset])
  if (before?.text === '.') return undefined
  const isDynamic = word?.text === 'import' && next?.text === '('
  const isUrl = word?.text === 'URL' && next?.text === '(' && isFileUrl(tokens, index + 2)
  if (isDynamic || isUrl) {
    if (then?.kind !== 'string' && then?.kind !== 'template') return undefined
    return { text: then.text, index: index + 2, isStatic: false }
  }
  if (word?.text === 'import' && next?.kind === 'string') {
    return { text: next.text, index: index + 1, isStatic: true }
  }
  if (word?.text !== 'import' && word?.text !== 'export') return undefined
  return findFrom(tokens, index)
}

/** Finds the string behind `from`, in an import or export clause that begins at `start`. */
function findFrom(tokens: readonly Token[], start: number): Specifier | undefined {
  for (let index = start + 1; index < tokens.length; index += 1) {
    const [token, next] = [tokens[index], tokens[index + 1]]
    if (token?.text === 'from' && next?.kind === 'string') {
      return { text: next.text, index: index + 1, isStatic: true }
    }
    // A clause contains names, braces, commas and a star; anything else begins another statement.
    if (token === undefined) return undefined
    if (token.kind !== 'word' && !'{},*'.includes(token.text)) return undefined
    if (/^(import|export|const|let|class|function|async|interface|enum)$/.test(token.text)) {
      return undefined
    }
  }
  return undefined
}

function isFileUrl(tokens: readonly Token[], index: number): boolean {
  const [specifier, comma, meta] = tokens.slice(index, index + 3)
  const isFile = /\.(ts|tsx|mjs|js)$/.test(specifier?.text ?? '')
  return isFile && comma?.text === ',' && meta?.text === 'import'
}

function namesBetween(clause: readonly Token[]): string[] {
  return clause
    .filter(({ kind }, index) => kind === 'word' && clause[index - 1]?.text !== 'as')
    .map(({ text }) => text)
    .filter((text) => !/^(import|export|type|as|from)$/.test(text))
}
