// Statements about who sees which rows and values of a table: CREATE POLICY and its like, REVOKE and GRANT.

import { canonicalTokens } from './canonical.ts'
import type { SqlCatalog } from './catalog.ts'
import type { SqlContext } from './context.ts'
import type { SqlCursor } from './cursor.ts'
import type { ProgramStatements } from './program-statements.ts'
import type { SqlTable } from './table.ts'

const VERBS = /^(?:create|alter|drop)$/
const KINDS = /^(?:masking|row|projection|aggregation|join|security|privacy)$/

/** Executes the statements about the visibility of tables. */
export class VisibilityStatements {
  readonly #catalog: SqlCatalog
  readonly #context: SqlContext
  /** Policies without a table are defined here; the clauses of tables name them. */
  readonly #programs: ProgramStatements

  /** The tables of each security policy of SQL Server. */
  readonly #filtered = new Map<string, Set<SqlTable>>()

  constructor(catalog: SqlCatalog, context: SqlContext, programs: ProgramStatements) {
    this.#catalog = catalog
    this.#context = context
    this.#programs = programs
  }

  /** Executes a statement; false if it is about something else. */
  run(cursor: SqlCursor): boolean {
    const verb = cursor.word()
    if (/^(?:revoke|deny|grant)$/.test(verb)) this.#rights(cursor)
    else if (!VERBS.test(verb)) return false
    else return this.#policy(cursor, verb)
    return true
  }

  #policy(cursor: SqlCursor, verb: string): boolean {
    const from = cursor.at
    cursor.at += 1
    cursor.take('or', 'replace')
    const isAll = cursor.take('all')
    const kind = KINDS.test(cursor.word()) ? cursor.word() : ''
    if (kind !== '') cursor.at += 1
    cursor.take('access')
    if (!cursor.take('policy') && !(isAll && cursor.take('policies'))) {
      cursor.at = from
      return false
    }
    if (!cursor.take('if', 'exists')) cursor.take('if', 'not', 'exists')
    const name = isAll ? '' : (cursor.parts(false).at(-1) ?? '')
    const text = canonicalTokens(cursor.tokens)
    if (kind === 'security') this.#securityPolicy(cursor, { verb, name, text })
    else if (cursor.take('on')) this.#tablePolicy(cursor, { verb, name, text, kind })
    else if (verb === 'drop') this.#programs.remove(name)
    else if (verb === 'create') this.#programs.define(name, text)
    else this.#programs.extend(name, text)
    return true
  }

  // `create policy p on t` of PostgreSQL, `create row access policy p on t` of BigQuery.
  #tablePolicy(
    cursor: SqlCursor,
    { verb, name, text, kind }: { verb: string; name: string; text: string; kind: string },
  ): void {
    const visibility = this.#catalog.find(cursor.parts(this.#context.isBigQuery))?.visibility
    if (visibility === undefined) return
    const key = `${kind} access policy ${name}`
    if (kind !== '') {
      if (verb !== 'drop') visibility.set(key, text)
      else if (name === '') visibility.remove(key)
      else visibility.delete(key)
    } else if (verb === 'drop') visibility.policies.delete(name)
    else if (cursor.take('rename', 'to')) {
      const policy = visibility.policies.get(name)
      visibility.policies.delete(name)
      if (policy !== undefined) visibility.policies.set(cursor.name(), policy)
    } else if (!isForWriters(cursor)) {
      const before = verb === 'alter' ? visibility.policies.get(name) : undefined
      visibility.policies.set(name, before === undefined ? text : `${before}; ${text}`)
    }
  }

  // SQL Server: `create security policy p add filter predicate dbo.f(a) on dbo.t with (state = on)`.
  #securityPolicy(
    cursor: SqlCursor,
    { verb, name, text }: { verb: string; name: string; text: string },
  ): void {
    const key = `security policy ${name}`
    const tables = this.#filtered.get(name) ?? new Set()
    this.#filtered.set(name, tables)
    for (; !cursor.isAtEnd(); cursor.skip()) {
      if (!cursor.take('on')) continue
      const table = cursor.isName() ? this.#catalog.find(cursor.parts(false)) : undefined
      if (table !== undefined) tables.add(table)
      if (cursor.isAtEnd()) break
    }
    for (const { visibility } of tables) {
      if (verb === 'drop') visibility.delete(key)
      else visibility.extend(key, text)
    }
    if (verb === 'drop') this.#filtered.delete(name)
  }

  // Rights to read that are taken away. Rights are no promise, docs/decisions/0042-sql-scripts-are-executed.md; a script
  // that takes them away ends the access of consumers.
  #rights(cursor: SqlCursor): void {
    const isGrant = cursor.word() === 'grant'
    cursor.at += 1
    cursor.take('grant', 'option', 'for')
    const from = cursor.at
    while (!cursor.isAtEnd() && cursor.word() !== 'on') cursor.skip()
    const rights = canonicalTokens(cursor.tokens.slice(from, cursor.at))
    if (!cursor.take('on') || !/\b(?:all|select|usage|ownership)\b/.test(rights)) return
    const tables = this.#listTables(cursor)
    while (!cursor.isAtEnd() && !/^(?:from|to)$/.test(cursor.word())) cursor.skip()
    cursor.at += 1
    while (cursor.isName()) {
      if (!cursor.take('role') && !cursor.take('group')) cursor.take('user')
      const role = cursor.isName() ? cursor.name() : ''
      for (const { visibility } of tables) {
        const key = `revoke ${role}`
        if (isGrant) visibility.delete(key)
        else visibility.set(key, `revoke from ${role.toLowerCase()}`)
      }
      if (!cursor.takeSign(',')) return
    }
  }

  #listTables(cursor: SqlCursor): SqlTable[] {
    const isSchema = cursor.take('schema') || cursor.take('database')
    if (isSchema || cursor.take('all', 'tables', 'in', 'schema')) {
      while (cursor.takeSign(':'));
      return cursor.isName() ? this.#catalog.tablesIn(cursor.parts(false).at(-1) ?? '') : []
    }
    if (!cursor.take('table') && !cursor.take('view')) cursor.take('object')
    while (cursor.takeSign(':'));
    const tables: SqlTable[] = []
    do {
      const parts = cursor.isName() ? cursor.parts(this.#context.isBigQuery) : []
      const table = parts.length === 0 ? undefined : this.#catalog.find(parts)
      if (table !== undefined) tables.push(table)
    } while (cursor.takeSign(','))
    return tables
  }
}

// A policy for INSERT hides no row from who reads.
function isForWriters(cursor: SqlCursor): boolean {
  const at = cursor.word() === 'as' ? 2 : 0
  return cursor.word(at) === 'for' && /^(?:insert|update|delete)$/.test(cursor.word(at + 1))
}
