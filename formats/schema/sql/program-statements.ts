// Statements about code of the database that decides which rows exist and what queries return: triggers and rules of a
// table, and functions that its conditions, queries and triggers name. Code is compared as text.

import { hashText } from '../hash-text.ts'
import { canonicalTokens } from './canonical.ts'
import { type SqlCatalog, splitWords } from './catalog.ts'
import type { SqlContext } from './context.ts'
import { skipElement } from './element.ts'
import type { SqlCursor } from './cursor.ts'
import type { SqlTable } from './table.ts'

const ATTACHED = /^(?:trigger|rule)$/
const NAMED = /^(?:function|procedure|proc|aggregate|operator|cast|collation|macro|package)$/
const OTHERS =
  /^(?:table|view|type|domain|index|policy|schema|database|sequence|role|user|server|event|extension)$/

/** The words before the kind of an object that are looked at: `or replace definer = u@h secure`. */
const WORDS_MAX = 12

/** Words of definitions that are followed from tables, in all. */
const FOLLOWED_MAX = 1_000_000

interface Program {
  verb: string
  isReplacing: boolean
  kind: string
  name: string
  text: string
}

/** Executes the statements about triggers, rules and functions. */
export class ProgramStatements {
  readonly #catalog: SqlCatalog
  readonly #context: SqlContext
  /** Functions and policies by their names in lower case. */
  readonly #definitions = new Map<string, string>()
  /** The tables of each trigger and rule: not all dialects repeat them to drop it. */
  readonly #attached = new Map<string, Set<SqlTable>>()
  readonly #words = new Map<string, readonly string[]>()
  #followed = 0
  /** A digest of all definitions, used where they are too many to follow. */
  #all: string | undefined

  constructor(catalog: SqlCatalog, context: SqlContext) {
    this.#catalog = catalog
    this.#context = context
  }

  /** Executes a statement; false if it is about something else. */
  run(cursor: SqlCursor): boolean {
    const from = cursor.at
    const verb = cursor.word()
    const program = /^(?:create|alter|drop)$/.test(verb) ? readProgram(cursor, verb) : undefined
    if (program === undefined) {
      cursor.at = from
      return false
    }
    if (ATTACHED.test(program.kind)) this.#attach(cursor, program)
    else this.#define(program)
    return true
  }

  /** Defines what tables may name: a function or a policy. */
  define(name: string, text: string): void {
    this.#definitions.set(name.toLowerCase(), text)
  }

  /** Adds to a definition. */
  extend(name: string, text: string): void {
    const before = this.#definitions.get(name.toLowerCase())
    this.define(name, before === undefined ? text : `${before}; ${text}`)
  }

  /** Removes a definition. */
  remove(name: string): void {
    this.#definitions.delete(name.toLowerCase())
  }

  /** Adds the definitions that the clauses of tables name, and those that these name. */
  addDefinitions(): void {
    if (this.#definitions.size === 0) return
    for (const table of this.#catalog.tables()) this.#addTo(table)
  }

  #addTo(table: SqlTable): void {
    const names = new Set(table.texts().flatMap(splitWords))
    for (const name of names) {
      const text = this.#definitions.get(name)
      if (text === undefined) continue
      if (this.#followed > FOLLOWED_MAX) {
        this.#all ??= hashText([...this.#definitions.values()].join('\n'))
        table.visibility.set('definitions', this.#all)
        return
      }
      table.visibility.set(`definition ${name}`, shortenText(text))
      for (const word of this.#getWords(name, text)) names.add(word)
    }
  }

  #getWords(name: string, text: string): readonly string[] {
    const words = this.#words.get(name) ?? [...new Set(splitWords(text))]
    this.#words.set(name, words)
    this.#followed += words.length
    return words
  }

  #define({ verb, isReplacing, name, text }: Program): void {
    if (verb === 'drop') {
      if (text.endsWith(' cascade')) this.#catalog.markDependents([name], text)
      this.remove(name)
    } else if (isReplacing) this.define(name, text)
    else if (!/\bowner to\b/.test(text)) this.extend(name, text)
  }

  // `create trigger g before insert or update of a on t`, `create rule r as on insert to t`
  #attach(cursor: SqlCursor, { verb, kind, name, text, isReplacing }: Program): void {
    const key = `${kind} ${name}`
    while (!cursor.isAtEnd() && !cursor.take('on')) cursor.skip()
    if (kind === 'rule' && cursor.word(1) === 'to') cursor.at += 2
    const table = cursor.isName()
      ? this.#catalog.find(cursor.parts(this.#context.isBigQuery))
      : undefined
    const attached = this.#attached.get(key) ?? new Set()
    this.#attached.set(key, attached)
    if (verb === 'create' && table !== undefined) attached.add(table)
    const tables = table === undefined && verb !== 'create' ? attached : [table]
    for (const one of tables) {
      if (verb === 'drop') one?.visibility.remove(key)
      else if (isReplacing || verb === 'create') one?.visibility.set(key, shortenText(text))
      else one?.visibility.extend(key, text)
    }
  }
}

function readProgram(cursor: SqlCursor, verb: string): Program | undefined {
  let isReplacing = false
  for (let words = 0; words < WORDS_MAX; words += 1) {
    cursor.at += 1
    const kind = cursor.word()
    if (kind === 'or') isReplacing = true
    if (OTHERS.test(kind) || cursor.isSign('(') || cursor.isAtEnd()) return undefined
    if (!ATTACHED.test(kind) && !NAMED.test(kind)) continue
    cursor.at += 1
    if (!cursor.take('if', 'exists')) cursor.take('if', 'not', 'exists')
    const name = cursor.isName() ? (cursor.parts(false).at(-1) ?? '') : ''
    return { verb, isReplacing, kind, name, text: canonicalTokens(cursor.tokens) }
  }
  return undefined
}

// Code may have megabytes, and many tables may name it.
function shortenText(text: string): string {
  return text.length > 2000 ? `${text.length} ${hashText(text)}` : text
}

/**
 * Executes an action of ALTER TABLE about triggers and rules, `disable trigger g`, `enable always rule r`, or one that hides the
 * rows of another table, `detach partition p`, `no inherit p`; false for any other action.
 */
export function runProgramState(cursor: SqlCursor, table: SqlTable, catalog: SqlCatalog): boolean {
  const from = cursor.at
  const readText = (start: number): string => {
    skipElement(cursor)
    return canonicalTokens(cursor.tokens.slice(start, cursor.at))
  }
  const isDetached = cursor.take('detach', 'partition')
  if (isDetached || cursor.take('no', 'inherit')) {
    const parent = isDetached ? table : catalog.find(cursor.parts(false))
    parent?.unanalyzed.push(readText(from))
    return true
  }
  if (!/^(?:enable|disable)$/.test(cursor.word())) return false
  if (
    !/^(?:trigger|rule|all triggers|\w+ (?:trigger|rule))/.test(
      `${cursor.word(1)} ${cursor.word(2)}`,
    )
  )
    return false
  const isEnabled = cursor.word() === 'enable' && !/^(?:always|replica)$/.test(cursor.word(1))
  const name = readText(from + 1)
  const isAll = /\b(?:all|user)\b/.test(name)
  if (isEnabled) table.visibility.remove(isAll ? 'state of ' : `state of ${name}`)
  else
    table.visibility.set(`state of ${name}`, canonicalTokens(cursor.tokens.slice(from, cursor.at)))
  return true
}
