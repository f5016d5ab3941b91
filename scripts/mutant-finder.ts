/**
 * Finds the single changes of a source file that a test should notice: each condition of its SQL replaced by `true`,
 * and each comparison of its TypeScript replaced by its neighbour.
 */

import { createHash } from 'node:crypto'
import { readSource, type Token } from '../test/source-file.ts'

/** One change of one file. */
export type Mutant = {
  readonly path: string
  readonly line: number
  readonly language: 'SQL' | 'TypeScript'
  /** The range of the text that is replaced. */
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** The condition in one line, or the line of the comparison and its change. */
  readonly text: string
}

/** The range of a template's text, without its quotes. */
type Template = { readonly start: number; readonly end: number; readonly code: string }

const OPPOSITES = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['&&', '||'],
  ['||', '&&'],
])

// A type before the template contains no quotes of templates.
const sqlTag = /\bsql(?:<[^`]*>)?$/
const tagLengthMax = 400
const comparison = /^\s(===|!==|<=|>=|<|>|&&|\|\|)\s/
const sqlPiece = /'(?:[^']|'')*'|--[^\n]*|[a-z_]\w*|[()]|\n[ \t]*(?=\uFFFC)|[^\s]/giu
const clauses =
  /^(?:and|where|on|group|order|limit|returning|union|intersect|except|having|window|offset|fetch|for|set|join|left|right|inner|cross|full|when|then|else|using|from|select|do|values)$/
const endsOperand = /^(?!(?:or|not|in|is|like)$).*[\w)'\uFFFC]$/
// These words continue a condition when they follow: `is distinct from`, `left(…)`.
const isCall = /^\s*\(/
const interpolation = '\uFFFC'

/** Finds the mutants of a file, in the order of its lines. */
export function findMutants(path: string, text: string): Mutant[] {
  const { tokens } = readSource(path, text)
  const toMutant = (
    language: Mutant['language'],
    range: Pick<Mutant, 'start' | 'end' | 'replacement' | 'text'>,
  ): Mutant => ({ path, line: text.slice(0, range.start).split('\n').length, language, ...range })
  const conditions = findTemplates(tokens, text).flatMap(({ start, code }) =>
    findConditions(code).map(({ keyword, from, to }) => {
      const [begin, end] = [start + from, start + to]
      const condition = text.slice(begin, end).replaceAll(/\s+/g, ' ')
      const range = { start: begin, end, replacement: 'true', text: `${keyword} ${condition}` }
      return toMutant('SQL', range)
    }),
  )
  return [...conditions, ...findComparisons(tokens, text).map((one) => toMutant('TypeScript', one))]
    .filter((one, at, all) => all.findIndex(({ start }) => start === one.start) === at)
    .toSorted((a, b) => a.start - b.start)
}

/** Finds the templates of SQL; in their code, each interpolation is as long as written, and has no letters. */
function findTemplates(tokens: readonly Token[], text: string): Template[] {
  const open: { start: number; code: string; isSql: boolean }[] = []
  const templates: Template[] = []
  for (const { kind, index, text: piece } of tokens) {
    if (kind !== 'template') continue
    if (text[index - 1] === '`') {
      const before = text.slice(Math.max(0, index - 1 - tagLengthMax), index - 1)
      open.push({ start: index, code: '', isSql: sqlTag.test(before) })
    }
    const template = open.at(-1)
    if (template === undefined) continue
    template.code = template.code.padEnd(index - template.start, interpolation) + piece
    const end = index + piece.length
    if (text[end] !== '`') continue
    open.pop()
    if (template.isSql) templates.push({ start: template.start, end, code: template.code })
  }
  return templates
}

type Condition = { readonly keyword: string; readonly from: number; readonly to: number }

/** Finds the conditions after `where`, `and` and `on` in SQL: each ends with its clause or its brackets. */
function findConditions(code: string): Condition[] {
  const conditions: Condition[] = []
  // One entry for each open bracket or `case`: the condition in it, and whether it is within `between`.
  const levels: { keyword?: string | undefined; from: number; isBetween: boolean }[] = [
    { from: 0, isBetween: false },
  ]
  let before = ''
  const close = (at: number): void => {
    const level = levels.at(-1)
    if (level?.keyword === undefined) return
    const condition = code.slice(level.from, at)
    const from = level.from + condition.length - condition.trimStart().length
    const to = level.from + condition.trimEnd().length
    if (to > from && condition.trim() !== 'true') {
      conditions.push({ keyword: level.keyword, from, to })
    }
    level.keyword = undefined
  }
  for (const { 0: piece, index } of code.matchAll(sqlPiece)) {
    const word = piece.toLowerCase()
    const level = levels.at(-1)
    const next = code.slice(index + piece.length)
    if (word === '(' || word === 'case') levels.push({ from: 0, isBetween: false })
    else if (word === ')' || word === 'end') {
      close(index)
      if (levels.length > 1) levels.pop()
    } else if (word === 'between' && level !== undefined) level.isBetween = true
    else if (word === 'and' && level?.isBetween === true) level.isBetween = false
    // A fragment on a line of its own is another condition, or none.
    else if (piece.startsWith('\n') && endsOperand.test(before)) close(index)
    else if (word === ',' || word === ';') close(index)
    else if (
      clauses.test(word) &&
      !(before === 'distinct' || (isCall.test(next) && /^(left|right)$/.test(word)))
    ) {
      close(index)
      const isCondition = /^(where|and|on)$/.test(word) && !/^\s+conflict\b/.test(next)
      if (isCondition && level !== undefined) {
        level.keyword = word
        level.from = index + piece.length
      }
    }
    if (piece.trim() !== '') before = word.at(-1) === interpolation ? interpolation : word
  }
  close(code.length)
  return conditions
}

function findComparisons(
  tokens: readonly Token[],
  text: string,
): Pick<Mutant, 'start' | 'end' | 'replacement' | 'text'>[] {
  return tokens.flatMap(({ kind, index }) => {
    const operator =
      kind === 'punctuation' ? comparison.exec(text.slice(index - 1, index + 4))?.[1] : undefined
    const replacement = OPPOSITES.get(operator ?? '')
    if (operator === undefined || replacement === undefined) return []
    const [from, to] = [text.lastIndexOf('\n', index) + 1, text.indexOf('\n', index)]
    const line = text.slice(from, to).trim()
    const change = `${line} (${operator} becomes ${replacement})`
    return [{ start: index, end: index + operator.length, replacement, text: change }]
  })
}

/** Chooses mutants at random, at least half of them in SQL if there are that many. */
export function chooseMutants(mutants: readonly Mutant[], limit: number, seed: number): Mutant[] {
  const shuffled = shuffle(mutants, seed)
  const conditions = shuffled.filter(({ language }) => language === 'SQL')
  const others = shuffled.filter(({ language }) => language !== 'SQL')
  const othersMax = Math.max(Math.floor(limit / 2), limit - conditions.length)
  const chosen = others.slice(0, othersMax)
  return shuffle([...conditions.slice(0, limit - chosen.length), ...chosen], seed)
}

/** Returns the items in an order that depends only on the seed. */
function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  const draw = (at: number): string => createHash('sha256').update(`${seed} ${at}`).digest('hex')
  return items
    .map((item, at) => ({ item, rank: draw(at) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ item }) => item)
}
