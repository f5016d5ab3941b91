// The clauses after a constraint: how nulls count, whether rows are checked and when, what happens to rows that refer to a
// removed one. Each of them is a part of the constraint; only storage is left out.

import { canonicalTokens } from './canonical.ts'
import type { SqlContext } from './context.ts'
import type { SqlCursor } from './cursor.ts'
import { isCommaMissing, isElementEnd } from './element.ts'
import type { Platform } from '../types/native-type.ts'

/** Clauses of a constraint, by their words. */
const CLAUSES = [
  'not for replication',
  'nulls not distinct',
  'not enforced',
  'not valid',
  'no inherit',
  'initially deferred',
  'match full',
  'match partial',
  'without overlaps',
  'deferrable',
  'disable',
  'enforced',
  'novalidate',
  'rely',
].map((clause) => clause.split(' '))

/** Clauses that state what holds without them. */
const DEFAULTS = [
  'initially immediate',
  'match simple',
  'not deferrable',
  'nulls distinct',
  'nulls first',
  'nulls last',
  'asc',
  'desc',
  'norely',
  'validate',
  'enable query optimization',
  'disable query optimization',
  'enable',
  'trusted',
].map((clause) => clause.split(' '))

// These products check no constraint, except NOT NULL.
const INFORMATIONAL: ReadonlySet<Platform | undefined> = new Set<Platform | undefined>([
  'snowflake',
  'bigquery',
  'databricks',
  'hive',
])
const INFORMATIONAL_DEFAULTS =
  /^(?:not enforced|deferrable|initially deferred|novalidate|disable|match full)$/

/** Words about how an index is stored, each with what follows it. */
const LAYOUT = new Set(
  `visible invisible clustered nonclustered hash logging nologging parallel noparallel reverse local global inherit
  compute statistics sorted`.split(/\s+/),
)
const LAYOUT_VALUES = new Set(
  `comment key_block_size tablespace storage pctfree initrans maxtrans include textimage_on algorithm lock parser
  filestream_on btree index`.split(/\s+/),
)

/** Reads the clauses that directly follow the constraint of a column; leaves other clauses of the column. */
export function readInlineClauses(cursor: SqlCursor, { platform }: SqlContext): string[] {
  const clauses = new Set<string>()
  for (let clause = takeClause(cursor); clause !== undefined; clause = takeClause(cursor)) {
    if (!isDefaultClause(clause, platform)) clauses.add(clause)
  }
  return [...clauses]
}

/** Reads the clauses of a constraint of a table, up to its end. An unknown clause is kept as text. */
export function readConstraintClauses(cursor: SqlCursor, context: SqlContext): string[] {
  const clauses = new Set<string>()
  while (!isElementEnd(cursor)) {
    const clause = takeClause(cursor) ?? takeFilter(cursor)
    if (clause !== undefined) {
      if (!isDefaultClause(clause, context.platform)) clauses.add(clause)
    } else if (!skipLayout(cursor)) {
      if (isCommaMissing(cursor, context)) break
      clauses.add(takeUnknown(cursor, context))
    }
  }
  return [...clauses]
}

/** Returns whether a clause states what holds on the platform without it. */
export function isDefaultClause(clause: string, platform: Platform | undefined): boolean {
  const isInformational = INFORMATIONAL.has(platform)
  if (clause === '' || (clause === 'enforced' && !isInformational)) return true
  return isInformational && INFORMATIONAL_DEFAULTS.test(clause)
}

// Undefined if no clause is next; '' for one that states a default.
function takeClause(cursor: SqlCursor): string | undefined {
  if (cursor.word() === '') return undefined
  if (DEFAULTS.some((words) => cursor.take(...words))) return ''
  const clause = CLAUSES.find((words) => cursor.take(...words))
  if (clause !== undefined) return clause.join(' ')
  return takeAction(cursor)
}

const ACTION = /^(?:cascade|restrict|no|set)$/

// `on delete set null (a)`. Rows that are left refer to others with NO ACTION and RESTRICT.
function takeAction(cursor: SqlCursor): string | undefined {
  const event = cursor.word(1)
  if (cursor.word() !== 'on' || (event !== 'delete' && event !== 'update')) return undefined
  if (!ACTION.test(cursor.word(2))) return undefined
  const from = cursor.at
  cursor.at += 2
  if (cursor.take('no', 'action') || cursor.take('restrict')) return ''
  if (cursor.take('set')) {
    cursor.at += 1
    if (cursor.isSign('(')) cursor.skip()
  } else cursor.at += 1
  return canonicalTokens(cursor.tokens.slice(from, cursor.at))
}

// The rows that a unique index or an exclusion is about.
function takeFilter(cursor: SqlCursor): string | undefined {
  if (cursor.word() !== 'where') return undefined
  const from = cursor.at
  while (!isElementEnd(cursor) && cursor.word() !== 'with') cursor.skip()
  return canonicalTokens(cursor.tokens.slice(from, cursor.at))
}

function skipLayout(cursor: SqlCursor): boolean {
  const word = cursor.word()
  if (word === 'on' || word === 'using') {
    // `on "PRIMARY"`, `on scheme (day)`, `on conflict ignore`, `using index tablespace t`, `using btree`.
    cursor.at += 1
    if (cursor.take('conflict') || cursor.take('index')) cursor.take('tablespace')
    if (!isElementEnd(cursor)) cursor.skip()
    if (cursor.isSign('(')) cursor.skip()
  } else if (word === 'with' && cursor.isSign('(', 1)) {
    cursor.at += 1
    cursor.skip()
  } else if (word === 'with' && (cursor.isSign('=', 2) || cursor.word(1) === 'parser')) {
    cursor.at += 3
  } else if (LAYOUT_VALUES.has(word)) {
    cursor.at += 1
    cursor.takeSign('=')
    if (!isElementEnd(cursor)) cursor.skip()
  } else if (LAYOUT.has(word)) cursor.at += 1
  else return false
  return true
}

function takeUnknown(cursor: SqlCursor, context: SqlContext): string {
  const from = cursor.at
  const found = cursor.token()?.text.slice(0, 40) ?? ''
  context.warn(
    cursor.token()?.start ?? 0,
    `"${found}" is not a clause of a constraint that is read. Changes of it count as breaking.`,
  )
  do cursor.skip()
  while (!isElementEnd(cursor) && !beginsClause(cursor) && !isCommaMissing(cursor, context))
  return canonicalTokens(cursor.tokens.slice(from, cursor.at))
}

function beginsClause(cursor: SqlCursor): boolean {
  const { at } = cursor
  const isClause = takeClause(cursor) !== undefined || skipLayout(cursor)
  cursor.at = at
  return isClause || cursor.word() === 'where'
}

/** The columns of a key, and what their entries add to it. */
interface KeyColumns {
  /** Names of columns; an expression in canonical form. */
  names: string[]
  clauses: string[]
}

/** Reads the columns of a key in parentheses: `(a desc, b(10), c collate x, lower(d), e without overlaps)`. */
export function readKeyColumns(cursor: SqlCursor): KeyColumns {
  const names: string[] = []
  const clauses = new Set<string>()
  cursor.expectSign('(')
  while (!cursor.takeSign(')')) {
    const { name, clause } = readKeyColumn(cursor)
    names.push(name)
    if (clause !== '') clauses.add(clause)
    if (!cursor.takeSign(',') && !cursor.isSign(')')) cursor.fail('"," or ")"')
  }
  return { names, clauses: [...clauses] }
}

function readKeyColumn(cursor: SqlCursor): { name: string; clause: string } {
  // `foreign key (id, period valid_at)` of PostgreSQL.
  if (cursor.word() === 'period' && cursor.isName(1)) {
    cursor.at += 1
    return { name: cursor.name(), clause: 'period' }
  }
  const from = cursor.at
  const isExpression =
    !cursor.isName() || (cursor.isSign('(', 1) && cursor.token(2)?.kind !== 'number')
  if (isExpression) {
    while (!isElementEnd(cursor) && !isOrder(cursor)) cursor.skip()
    const name = canonicalTokens(cursor.tokens.slice(from, cursor.at))
    skipOrder(cursor)
    return { name, clause: '' }
  }
  const name = cursor.name()
  const start = cursor.at
  if (cursor.take('without', 'overlaps')) return { name, clause: 'without overlaps' }
  while (!isElementEnd(cursor) && !isOrder(cursor)) cursor.skip()
  const rest = canonicalTokens(cursor.tokens.slice(start, cursor.at))
  skipOrder(cursor)
  return { name, clause: rest === '' ? '' : `"${name}" ${rest}` }
}

function isOrder(cursor: SqlCursor): boolean {
  return /^(?:asc|desc|nulls)$/.test(cursor.word())
}

function skipOrder(cursor: SqlCursor): void {
  while (!isElementEnd(cursor)) cursor.skip()
}
