/** Finds what opening a page of `web/` writes: effects, queries and loaders that reach the storage or a change of the server. */

import { isTest, type Codebase } from './code-rules.ts'
import type { SourceFile, Token } from './source-file.ts'

/** Calls that write: to the storage of the browser, to the server, or the start of an action. */
const WRITERS = 'setItem removeItem POST PUT PATCH DELETE sendText mutate mutateAsync run'.split(
  ' ',
)

/** Calls whose functions run when a page opens. */
const OPENERS = new Set('useEffect useLayoutEffect useInsertionEffect useMemo useState'.split(' '))
/** Members whose functions run when a page opens. */
const OPENING_MEMBERS = new Set(['queryFn', 'beforeLoad', 'loader'])

const STATEMENT_STARTS = new Set(
  'const let function return if for while switch export void await type interface import throw try'.split(
    ' ',
  ),
)

interface Span {
  from: number
  to: number
}

/** The files of the pages, without their tests. */
export function listPageFiles(codebase: Codebase): readonly SourceFile[] {
  return codebase.filter((file) => file.path.startsWith('web/') && !isTest(file))
}

/** Lists the files that write to the storage of the browser. */
export function listStorageWriters(codebase: Codebase): string[] {
  return listPageFiles(codebase)
    .filter(({ tokens }) =>
      tokens.some(
        ({ text, kind }) => kind === 'word' && /^(setItem|removeItem|indexedDB|cookie)$/.test(text),
      ),
    )
    .map(({ path }) => path)
}

/** Lists what runs when a page opens and writes, as `file: writer`. */
export function listOpeningWrites(codebase: Codebase): string[] {
  const files = listPageFiles(codebase)
  const definitions = new Map(files.map((file) => [file, listDefinitions(file.tokens)]))
  const writers = findWriters(files, definitions)
  return files.flatMap((file) => {
    const found = listOpeningSpans(file.tokens).flatMap((span) => {
      const writer = findReached(file, span, definitions.get(file), writers)
      return writer === undefined ? [] : [`${file.path}: ${writer}`]
    })
    return [...new Set(found)]
  })
}

type Definitions = ReadonlyMap<string, readonly Span[]>

// Exported functions that write are writers themselves, also through other files.
function findWriters(
  files: readonly SourceFile[],
  definitions: ReadonlyMap<SourceFile, Definitions>,
): ReadonlySet<string> {
  const writers = new Set(WRITERS)
  let before = 0
  while (before !== writers.size) {
    before = writers.size
    for (const file of files) {
      for (const name of listExports(file.tokens)) {
        const spans = definitions.get(file)?.get(name) ?? []
        const isWriter = spans.some(
          (span) => findReached(file, span, definitions.get(file), writers) !== undefined,
        )
        if (isWriter) writers.add(name)
      }
    }
  }
  return writers
}

// The functions of other files that a component renders are not called by an effect.
function listExports(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ text }, at) => {
    if (text !== 'export') return []
    const isAsync = tokens[at + 1]?.text === 'async'
    const name = tokens[at + (isAsync ? 3 : 2)]?.text
    return name !== undefined && /^[a-z]/.test(name) ? [name] : []
  })
}

function findReached(
  { tokens }: SourceFile,
  start: Span,
  definitions: Definitions | undefined,
  writers: ReadonlySet<string>,
): string | undefined {
  const seen = new Set<string>()
  const pending = [start]
  for (let span = pending.pop(); span !== undefined; span = pending.pop()) {
    for (let at = span.from; at < span.to; at += 1) {
      const name = tokens[at]
      if (name?.kind !== 'word') continue
      const next = tokens[at + 1]?.text ?? ''
      if (next === '(' && writers.has(name.text)) return name.text
      const isUsed = ['(', ',', ')', '}'].includes(next) && tokens[at - 1]?.text !== '.'
      if (!isUsed || seen.has(name.text)) continue
      seen.add(name.text)
      pending.push(...(definitions?.get(name.text) ?? []))
    }
  }
  return undefined
}

function listOpeningSpans(tokens: readonly Token[]): Span[] {
  return tokens.flatMap(({ kind, text }, at) => {
    if (kind !== 'word') return []
    const next = tokens[at + 1]?.text
    if (OPENERS.has(text) && next === '(') return [{ from: at + 2, to: findEnd(tokens, at + 1) }]
    if (OPENING_MEMBERS.has(text) && (next === ':' || next === '(')) {
      return [{ from: at + 1, to: findMemberEnd(tokens, at + 1) }]
    }
    return []
  })
}

/** Lists the functions and constants of a file by name, each with the tokens of its value. */
function listDefinitions(tokens: readonly Token[]): Definitions {
  const definitions = new Map<string, Span[]>()
  const add = (name: string, span: Span): void => {
    definitions.set(name, [...(definitions.get(name) ?? []), span])
  }
  for (const [at, { text, kind }] of tokens.entries()) {
    if (kind !== 'word') continue
    const next = tokens[at + 1]
    if (text === 'function' && next?.kind === 'word') {
      const parameters = tokens.findIndex((token, index) => index > at && token.text === '(')
      const end = findEnd(tokens, parameters)
      const body = findBody(tokens, end)
      add(next.text, { from: body, to: findEnd(tokens, body) })
    }
    if (text !== 'const' && text !== 'let') continue
    const isPattern = next?.text === '{' || next?.text === '['
    const patternEnd = isPattern ? findEnd(tokens, at + 1) : at + 1
    const from = tokens.findIndex((token, index) => index > patternEnd && token.text === '=')
    const span = { from, to: findStatementEnd(tokens, from + 1) }
    for (const name of tokens.slice(at + 1, patternEnd + 1)) {
      if (name.kind === 'word') add(name.text, span)
    }
  }
  return definitions
}

// The body comes after the type of the result, which may have braces.
function findBody(tokens: readonly Token[], after: number): number {
  let at = after + 1
  while (at < tokens.length) {
    const before = tokens[at - 1]?.text ?? ''
    if (tokens[at]?.text === '{' && ![':', '|', '&', '<', ','].includes(before)) return at
    at = tokens[at]?.text === '{' ? findEnd(tokens, at) + 1 : at + 1
  }
  return tokens.length
}

const PAIRS = new Map([
  ['(', ')'],
  ['{', '}'],
  ['[', ']'],
])

/** Returns the position of the bracket that closes another one. */
function findEnd(tokens: readonly Token[], open: number): number {
  let depth = 0
  for (let at = open; at < tokens.length; at += 1) {
    const { kind, text } = tokens[at] ?? { kind: 'word', text: '' }
    if (kind !== 'punctuation') continue
    if (PAIRS.has(text)) depth += 1
    else if ([...PAIRS.values()].includes(text)) depth -= 1
    if (depth === 0) return at
  }
  return tokens.length
}

function findMemberEnd(tokens: readonly Token[], start: number): number {
  return findLast(tokens, start, ({ text }) => text === ',')
}

function findStatementEnd(tokens: readonly Token[], start: number): number {
  return findLast(
    tokens,
    start,
    ({ text, kind, line }, at) =>
      kind === 'word' && STATEMENT_STARTS.has(text) && line > (tokens[at - 1]?.line ?? 0),
  )
}

// Ends at a token outside of brackets, or at the end of the brackets around all of it.
function findLast(
  tokens: readonly Token[],
  start: number,
  isEnd: (token: Token, at: number) => boolean,
): number {
  let at = start
  while (at < tokens.length) {
    const token = tokens[at]
    if (token === undefined || (at > start && isEnd(token, at))) return at
    if (token.kind === 'punctuation') {
      if ([...PAIRS.values()].includes(token.text)) return at
      if (PAIRS.has(token.text)) at = findEnd(tokens, at)
    }
    at += 1
  }
  return at
}
