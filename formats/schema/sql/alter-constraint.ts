// ALTER TABLE: the actions that change whether and when a constraint is checked.

import { isDefaultClause } from './constraint-clauses.ts'
import type { SqlContext } from './context.ts'
import type { SqlCursor } from './cursor.ts'
import { isElementEnd } from './element.ts'
import type { SqlConstraint } from './parts.ts'
import type { SqlTable } from './table.ts'

/** The words of a change, the clauses that it adds, and those that it removes. */
const CHANGES: readonly (readonly [words: string, adds: string, removes: string])[] = [
  ['not deferrable', '', 'deferrable,initially deferred'],
  ['deferrable', 'deferrable', ''],
  ['initially deferred', 'deferrable,initially deferred', ''],
  ['initially immediate', '', 'initially deferred'],
  ['not enforced', 'not enforced', ''],
  ['enforced', '', 'not enforced'],
  ['no inherit', 'no inherit', ''],
  ['inherit', '', 'no inherit'],
  ['novalidate', 'novalidate', ''],
  ['validate', '', 'novalidate,not valid'],
  ['disable', 'disable', ''],
  ['enable', '', 'disable'],
  ['norely', '', 'rely'],
  ['rely', 'rely', ''],
]

/**
 * Executes an action that changes how constraints are checked; false for another action. `isTrusted` is undefined
 * without WITH CHECK and WITH NOCHECK of SQL Server.
 */
export function alterConstraint(
  cursor: SqlCursor,
  table: SqlTable,
  context: SqlContext,
  isTrusted?: boolean,
): boolean {
  if (cursor.take('validate', 'constraint')) table.validateConstraint(cursor.name())
  else if (isCheckAction(cursor)) checkConstraints(cursor, table, isTrusted)
  else {
    const from = cursor.at
    const isChange = /^(?:alter|modify)$/.test(cursor.word())
    if (isChange) cursor.at += 1
    const changes = isChange ? [] : takeChanges(cursor)
    const isKnown = isChange || changes.length > 0
    const constraints = isKnown ? takeConstraints(cursor, table) : undefined
    if (constraints === undefined) {
      cursor.at = from
      return false
    }
    changes.push(...takeChanges(cursor))
    for (const constraint of constraints) {
      for (const [, adds, removes] of changes) changeClauses(constraint, adds, removes)
      constraint.clauses = constraint.clauses.filter(
        (clause) => !isDefaultClause(clause, context.platform),
      )
    }
  }
  return true
}

function takeChanges(cursor: SqlCursor): (typeof CHANGES)[number][] {
  const changes: (typeof CHANGES)[number][] = []
  for (;;) {
    const change = CHANGES.find(([words]) => cursor.take(...words.split(' ')))
    if (change === undefined) return changes
    changes.push(change)
  }
}

// `constraint n`, `check n` of MySQL, `primary key` and `unique (a)` of Oracle; undefined for something else.
function takeConstraints(cursor: SqlCursor, table: SqlTable): SqlConstraint[] | undefined {
  if (cursor.take('primary', 'key')) return table.constraintsOf('primaryKey')
  if (cursor.word() === 'unique' && cursor.isSign('(', 1)) {
    cursor.at += 1
    return table.constraintsOf('unique', cursor.names())
  }
  if (!cursor.isName(1) || !(cursor.take('constraint') || cursor.take('check'))) return undefined
  const name = cursor.name()
  const constraints = table.constraintsNamed(name)
  if (constraints.length === 0 && name.toLowerCase() !== 'all') {
    cursor.at -= 1
    cursor.reject(`The table has no constraint "${name.slice(0, 40)}" here.`)
  }
  return constraints
}

function changeClauses(constraint: SqlConstraint, adds: string, removes: string): void {
  const [added, removed] = [adds, removes].map((list) => list.split(',').filter(Boolean))
  const kept = constraint.clauses.filter((clause) => removed?.includes(clause) !== true)
  constraint.clauses = [...new Set([...kept, ...(added ?? [])])]
}

function isCheckAction(cursor: SqlCursor): boolean {
  return /^(?:no)?check$/.test(cursor.word()) && cursor.word(1) === 'constraint'
}

// SQL Server: `nocheck constraint all`, `with check check constraint c`. Without WITH CHECK, old rows stay unchecked.
function checkConstraints(
  cursor: SqlCursor,
  table: SqlTable,
  isTrusted: boolean | undefined,
): void {
  const isChecked = cursor.word() === 'check'
  cursor.at += 2
  do {
    for (const constraint of table.constraintsNamed(cursor.name())) {
      if (constraint.kind !== 'check' && constraint.kind !== 'foreignKey') continue
      const wasChecked = !constraint.clauses.includes('disable')
      if (!isChecked) changeClauses(constraint, 'disable', '')
      else if (isTrusted === true) changeClauses(constraint, '', 'disable,not valid')
      else changeClauses(constraint, wasChecked ? '' : 'not valid', 'disable')
    }
  } while (!isElementEnd(cursor) || (cursor.isName(1) && cursor.takeSign(',')))
}
