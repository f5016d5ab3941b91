// Paths of OMDS, `/schema[name=Order]/properties[name=id]/physicalType`, for JSON pointers, and back.
// Bitol RFC 0039, "Paths".

import { asText, getField, jsonText, valueAt, type Path } from '../../text/value.ts'
import type { Value } from '../../text/value.ts'

// The keys of the lists of both standards, the preferred one first. A port is named by its name and version.
const KEYS = ['name', 'server', 'role', 'property', 'username', 'channel', 'id']
const PORTS: ReadonlySet<string> = new Set(['inputPorts', 'outputPorts'])

// Such a key is written as a JSON text, because it would end the bracket or look different without quotes.
const NEEDS_QUOTES = /[[\],="\\/]|^\s|\s$|^$/

/** Writes paths into one document. */
export class PathWriter {
  readonly #document: Value
  // The names of the members of each list, and how many have each: a list may have a hundred thousand members.
  readonly #counts = new Map<readonly Value[], ReadonlyMap<string, number>>()

  constructor(document: Value) {
    this.#document = document
  }

  /** Returns the steps of a JSON pointer into the document: positions in lists are numbers. */
  toSteps(jsonPointer: string): Path {
    let here: Value | undefined = this.#document
    return jsonPointer
      .split('/')
      .slice(1)
      .map((written) => {
        const name = written.replaceAll('~1', '/').replaceAll('~0', '~')
        const step = Array.isArray(here) ? Number(name) : name
        here = valueAt(here, [step])
        return step
      })
  }

  /** Writes the path of a part; a member of a list is named by its key, or by its position if it has none. */
  write(steps: Path): string {
    let text = ''
    let here: Value | undefined = this.#document
    let list = ''
    for (const step of steps) {
      if (typeof step === 'number') {
        text += this.#writeMember(here, step, list)
      } else {
        list = step
        text += `/${quoteIfNeeded(step)}`
      }
      here = valueAt(here, [step])
    }
    return text === '' ? '/' : text
  }

  #writeMember(items: Value | undefined, at: number, list: string): string {
    const item = Array.isArray(items) ? items[at] : undefined
    if (item === undefined || !Array.isArray(items)) return `[${at}]`
    const name = identify(item, list)
    // A key that two members have names neither.
    if (name === '' || this.#countNames(items, list).get(name) !== 1) return `[${at}]`
    return writeBracket(listKeys(item, list))
  }

  #countNames(items: readonly Value[], list: string): ReadonlyMap<string, number> {
    const known = this.#counts.get(items)
    if (known !== undefined) return known
    const counts = new Map<string, number>()
    for (const item of items) {
      const name = identify(item, list)
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    this.#counts.set(items, counts)
    return counts
  }
}

// A text that is equal for members with equal keys; empty for one without a key.
function identify(item: Value, list: string): string {
  const key = findKey(item)
  if (key === undefined) return ''
  const value = asText(getField(item, key))
  const version = PORTS.has(list) ? asText(getField(item, 'version')) : undefined
  return version === undefined ? `${key}\0${value}` : `${key}\0${value}\0${version}`
}

/** Returns the field that names a member of a list; undefined if it has no name. */
export function findKey(item: Value | undefined): string | undefined {
  return KEYS.find((name) => asText(getField(item, name)) !== undefined)
}

function listKeys(item: Value, list: string): [name: string, value: string][] {
  const key = findKey(item)
  if (key === undefined) return []
  const names = PORTS.has(list) && key === 'name' ? [key, 'version'] : [key]
  return names.flatMap((name): [string, string][] => {
    const value = asText(getField(item, name))
    return value === undefined ? [] : [[name, value]]
  })
}

/** Writes the keys of a member of a list: `[name=orders,version=2]`. */
export function writeBracket(keys: readonly [name: string, value: string][]): string {
  return `[${keys.map(([name, value]) => `${name}=${quoteIfNeeded(value)}`).join(',')}]`
}

function quoteIfNeeded(text: string): string {
  return NEEDS_QUOTES.test(text) ? jsonText(text) : text
}

/** Returns the steps of a path in a document; undefined if it is not a path, or a part of it does not exist. */
export function readPath(document: Value, path: string): Path | undefined {
  const steps: (string | number)[] = []
  let here: Value | undefined = document
  const tokens = path === '/' ? [] : splitPath(path)
  if (tokens === undefined) return undefined
  for (const token of tokens) {
    const step = typeof token === 'string' ? token : findMember(here, token)
    if (step === undefined) return undefined
    steps.push(step)
    here = valueAt(here, [step])
  }
  return steps
}

// The members of a bracket: a position, or keys with their values.
type Bracket = { at: number } | { keys: ReadonlyMap<string, string> }

const NAME = /\/("(?:[^"\\]|\\.)*"|[^/[\]]+)/y
const BRACKET =
  /\[(?:(\d+)|([^\]=]+=(?:"(?:[^"\\]|\\.)*"|[^\],]*)(?:,[^\]=]+=(?:"(?:[^"\\]|\\.)*"|[^\],]*))*))\]/y
const ENTRY = /([^,=]+)=("(?:[^"\\]|\\.)*"|[^,]*)(?:,|$)/g

function splitPath(path: string): (string | Bracket)[] | undefined {
  const tokens: (string | Bracket)[] = []
  let at = 0
  while (at < path.length) {
    NAME.lastIndex = BRACKET.lastIndex = at
    const [whole, name] = NAME.exec(path) ?? []
    if (whole !== undefined && name !== undefined) {
      tokens.push(unquote(name))
      at += whole.length
      continue
    }
    const [bracket, position, entries = ''] = BRACKET.exec(path) ?? []
    if (bracket === undefined) return undefined
    const keys = [...entries.matchAll(ENTRY)].map(([, key = '', value = '']): [string, string] => [
      key,
      unquote(value),
    ])
    tokens.push(position === undefined ? { keys: new Map(keys) } : { at: Number(position) })
    at += bracket.length
  }
  return tokens
}

function unquote(text: string): string {
  if (!text.startsWith('"')) return text
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : text
  } catch {
    return text
  }
}

function findMember(list: Value | undefined, bracket: Bracket): number | undefined {
  if (!Array.isArray(list)) return undefined
  if ('at' in bracket) return bracket.at
  const at = list.findIndex((item) =>
    [...bracket.keys].every(([key, value]) => getField(item, key) === value),
  )
  return at === -1 ? undefined : at
}
