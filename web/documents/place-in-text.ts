import type { MediaType } from '../../formats/text/text.ts'
import type { Path } from '../../formats/text/value.ts'

/** The input at a position of a document that may be incomplete. */
interface TypedPlace {
  /** The object or list that holds it; positions in lists are 0. */
  path: Path
  /** The field whose value is typed; undefined = the name of a field is typed. */
  key: string | undefined
  /** The text before the position, without quotes. */
  typed: string
  /** The offset at which it begins. */
  from: number
}

/** Longer texts are searched only this far back. */
const SEARCHED_CHARACTERS_MAX = 500_000

/**
 * Finds the part of a document at an offset. Only the text before the offset is read, by indentation (YAML)
 * or brackets (JSON), so it need not be complete. Undefined in comments and in ambiguous text.
 */
export function findTypedPlace(
  text: string,
  offset: number,
  mediaType: MediaType,
): TypedPlace | undefined {
  const before = text.slice(Math.max(0, offset - SEARCHED_CHARACTERS_MAX), offset)
  return mediaType === 'application/json' ? findInJson(before, offset) : findInYaml(before, offset)
}

/** A line of YAML, as far as its place in the document depends on it. */
interface YamlLine {
  /** The columns of its dashes. */
  dashes: readonly number[]
  /** The column of what follows them. */
  column: number
  rest: string
}

const YAML_LINE = /^( *)((?:- +)*)(?:-$)?(.*)$/
const YAML_FIELD = /^(?:"([^"]*)"|'([^']*)'|([\w$./-][\w$ ./-]*?)) *:(?: +(.*))?$/

function findInYaml(before: string, offset: number): TypedPlace | undefined {
  const lines = before.split('\n')
  const line = readYamlLine(lines.at(-1) ?? '')
  const field = YAML_FIELD.exec(line.rest)
  const isValue = field !== null && /: /.test(line.rest)
  const typed = (isValue ? (field[4] ?? '') : line.rest).replace(/^["']/, '')
  if (/^[#|>&*{[]/.test(typed) || (!isValue && field !== null)) return undefined
  const path = findYamlParents(lines.slice(0, -1), line)
  const key = isValue ? (field[1] ?? field[2] ?? field[3] ?? '') : undefined
  return { path, key, typed, from: offset - typed.length }
}

function readYamlLine(text: string): YamlLine {
  const [, indentation = '', marks = '', rest = ''] = YAML_LINE.exec(text.replace(/\r$/, '')) ?? []
  const dashes = [...marks.matchAll(/-/g)].map(({ index }) => indentation.length + index)
  return { dashes, column: indentation.length + marks.length, rest }
}

function findYamlParents(lines: readonly string[], start: YamlLine): Path {
  const path: (string | number)[] = []
  let column = start.column
  let isItem = false
  const enter = (dashes: readonly number[]): void => {
    for (const dash of dashes.toReversed()) {
      path.unshift(0)
      column = dash
      isItem = true
    }
  }
  enter(start.dashes)
  for (const text of lines.toReversed()) {
    if (column === 0 && !isItem) break
    const line = readYamlLine(text)
    if (line.rest === '' || line.rest.startsWith('#')) continue
    if (!isItem && line.column === column && line.dashes.length > 0) {
      enter(line.dashes)
    } else if (line.column < column || (isItem && line.column === column)) {
      const field = YAML_FIELD.exec(line.rest)
      if (field === null || (field[4] ?? '') !== '') continue
      path.unshift(field[1] ?? field[2] ?? field[3] ?? '')
      column = line.column
      isItem = false
      enter(line.dashes)
    }
  }
  return path
}

/** An open object or list of JSON. */
interface OpenPart {
  isList: boolean
  /** The field whose value comes next. */
  key: string | undefined
}

const JSON_TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\]:,]|[^\s"{}[\]:,]+/g

function findInJson(before: string, offset: number): TypedPlace | undefined {
  const open: OpenPart[] = []
  let last: { text: string; index: number } | undefined
  let isAfterColon = false
  for (const { 0: token, index } of before.matchAll(JSON_TOKEN)) {
    const part = open.at(-1)
    if (token === '{' || token === '[') open.push({ isList: token === '[', key: undefined })
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':' && part !== undefined) part.key = unquote(last?.text ?? '')
    else if (token === ',' && part !== undefined) part.key = undefined
    isAfterColon = token === ':' || (isAfterColon && !/^[{}[\],]$/.test(token))
    last = { text: token, index }
  }
  const part = open.at(-1)
  if (part === undefined) return undefined
  const isOpenText =
    last !== undefined &&
    last.index + last.text.length === before.length &&
    !/^(?:[{}[\]:,]|".*")$/s.test(last.text)
  const typed = isOpenText ? (last?.text.replace(/^"/, '') ?? '') : ''
  const path = open.slice(0, -1).map(({ isList, key }) => (isList ? 0 : (key ?? '')))
  const key = part.isList ? undefined : part.key
  return { path: part.isList ? [...path, 0] : path, key, typed, from: offset - typed.length }
}

function unquote(token: string): string {
  return token.replaceAll(/^"|"$/g, '')
}
