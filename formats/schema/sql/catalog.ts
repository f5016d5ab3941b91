// The tables and views of a script, by their names.

import type { SqlSession } from './session.ts'
import type { SqlTable } from './table.ts'

/** Tables of the same name in other schemas that are compared with a name. */
const CANDIDATES_MAX = 16

/** Tables that are looked at for those of a schema, in all. */
const LISTED_MAX = 1_000_000

/** Tables that are looked at for those that name something, in all. */
const SEARCHED_MAX = 100_000

/** Lists the words of a text in lower case. */
export function splitWords(text: string): string[] {
  return text.toLowerCase().split(/[^\p{L}\p{N}_$]+/u)
}

export class SqlCatalog {
  #listed = 0
  #searched = 0
  readonly #tables = new Set<SqlTable>()
  readonly #byName = new Map<string, SqlTable>()
  readonly #byLastName = new Map<string, Set<SqlTable>>()

  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  get size(): number {
    return this.#tables.size
  }

  tables(): SqlTable[] {
    return [...this.#tables]
  }

  add(table: SqlTable): void {
    this.#tables.add(table)
    this.#index(table)
  }

  remove(table: SqlTable): void {
    this.#tables.delete(table)
    this.#unindex(table)
  }

  /** Renames a table. A name that is not qualified stays in the place of the table; `place` gives another one. */
  rename(table: SqlTable, name: readonly string[], place: readonly string[] = table.parts): void {
    const parts = [...place.slice(0, Math.max(place.length - name.length, 0)), ...name]
    this.#unindex(table)
    table.parts = parts
    this.#index(table)
  }

  /** Finds the table that has exactly this name. */
  findExact(parts: readonly string[]): SqlTable | undefined {
    return this.#byName.get(toKey(parts))
  }

  /** Finds a table by its name; of the two names, one may be more qualified than the other. */
  find(parts: readonly string[]): SqlTable | undefined {
    const exact = this.findExact(this.#session.qualify(parts)) ?? this.findExact(parts)
    if (exact !== undefined) return exact
    let compared = 0
    for (const table of this.#byLastName.get(toKey(parts.slice(-1))) ?? []) {
      if (isSuffix(parts, table.parts) || isSuffix(table.parts, parts)) return table
      compared += 1
      if (compared > CANDIDATES_MAX) return undefined
    }
    return undefined
  }

  /** Lists the tables of a schema. A script that asks for this too often gets none. */
  tablesIn(schema: string): SqlTable[] {
    if (this.#listed > LISTED_MAX) return []
    this.#listed += this.size
    const folded = schema.toLowerCase()
    return this.tables().filter(({ parts }) => parts.at(-2)?.toLowerCase() === folded)
  }

  /**
   * Keeps the text of a statement that drops something with the tables and views that name all of it: they may be dropped,
   * too, or have lost columns and constraints.
   */
  markDependents(names: readonly string[], text: string, except?: SqlTable): void {
    this.#searched += this.size
    if (this.#searched > SEARCHED_MAX) {
      const [first] = this.#tables
      first?.unanalyzed.push(text)
      return
    }
    for (const table of this.#tables) {
      if (table === except || table.unanalyzed.includes(text)) continue
      const words = new Set(table.texts().flatMap(splitWords))
      const isNamed = names.every((name) => splitWords(name).every((one) => words.has(one)))
      if (isNamed) table.unanalyzed.push(text)
    }
  }

  #index(table: SqlTable): void {
    this.#byName.set(toKey(table.parts), table)
    const last = toKey(table.parts.slice(-1))
    const others = this.#byLastName.get(last)
    if (others === undefined) this.#byLastName.set(last, new Set([table]))
    else others.add(table)
  }

  #unindex(table: SqlTable): void {
    const key = toKey(table.parts)
    if (this.#byName.get(key) === table) this.#byName.delete(key)
    this.#byLastName.get(toKey(table.parts.slice(-1)))?.delete(table)
  }
}

function toKey(parts: readonly string[]): string {
  return parts.join('\0').toLowerCase()
}

function isSuffix(short: readonly string[], long: readonly string[]): boolean {
  return short.length < long.length && toKey(long.slice(-short.length)) === toKey(short)
}
