/** Finds steps of plans that read more of a growing table the longer a store is used. */

import { sql } from 'kysely'
import type { ClientBase } from 'pg'
import type { Database } from '../server/platform/tables.ts'

/** A step of a plan, as `explain (format json)` describes it. */
interface PlanStep {
  'Node Type': string
  'Parent Relationship'?: string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  Plans?: PlanStep[]
}

/** The indexes of the growing tables. */
interface GrowingIndex {
  table: string
  columns: string[]
}

/** The tables that grow with the use of a store, and the columns that choose almost nothing of them. */
export interface Growing {
  tables: ReadonlySet<string>
  indexes: ReadonlyMap<string, GrowingIndex>
  /** The partial indexes that contain only what is still to be done. */
  queues: ReadonlySet<string>
}

/**
 * The reads of a statement. `rows`: rows by their keys, or the first ones in the order of an index. `tables`: whole tables,
 * each at most once.
 */
export type PlanReads = 'rows' | 'tables'

/** Columns with few values: a condition only on them leaves most of a table. */
const COARSE = new Set(['organization_id', 'kind'])

/** Steps below a limit that pass on rows in the order in which they come. */
const ORDERED = new Set([
  'Limit',
  'LockRows',
  'Nested Loop',
  'Subquery Scan',
  'Result',
  'Append',
  'Merge Append',
  'Unique',
  'WindowAgg',
  'Incremental Sort',
])

/** Reads the indexes of growing tables. */
export async function readGrowing(
  db: Database,
  tables: readonly string[],
  queues: readonly string[],
): Promise<Growing> {
  const { rows } = await sql<GrowingIndex & { name: string }>`
    select index.indexrelid::regclass::text as name, index.indrelid::regclass::text as table,
      array(
        select coalesce(attribute.attname::text, pg_get_indexdef(index.indexrelid, place::integer, true))
        from unnest(index.indkey) with ordinality as key (number, place)
        left join pg_attribute as attribute on attribute.attrelid = index.indrelid
          and attribute.attnum = key.number
      ) as columns
    from pg_index as index
    where index.indrelid = any(${tables}::text[]::regclass[])
  `.execute(db)
  return {
    tables: new Set(tables),
    indexes: new Map(rows.map(({ name, ...index }) => [name, index])),
    queues: new Set(queues),
  }
}

/**
 * Explains a statement, and lists its steps that read too much: its generic plan, or the plan for values if there are
 * some.
 */
export async function listPlanViolations(
  client: ClientBase,
  growing: Growing,
  { text, values }: { text: string; values?: readonly unknown[] },
  reads: PlanReads,
): Promise<string[]> {
  // Without values, the driver sends it as a simple query: the parameters stay parameters.
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanStep }] }>({
    text: `explain (${values === undefined ? 'generic_plan, ' : ''}format json) ${text}`,
    ...(values === undefined ? {} : { values: [...values] }),
  })
  const plan = rows[0]?.['QUERY PLAN'][0].Plan
  if (plan === undefined) throw new Error('no plan')
  return listViolations(growing, plan, reads, { isOrdered: false, isRepeated: false })
}

interface Place {
  /** Whether a limit above ends the step early. */
  isOrdered: boolean
  /** Whether the step runs for each row of another one. */
  isRepeated: boolean
}

function listViolations(
  growing: Growing,
  step: PlanStep,
  reads: PlanReads,
  place: Place,
): string[] {
  const type = step['Node Type']
  const own = isLarge(growing, step, place) && (reads === 'rows' || place.isRepeated)
  const children = (step.Plans ?? []).flatMap((child, at) => {
    const isInner = type === 'Nested Loop' && at === 1
    const isOrdered = type === 'Limit' || (place.isOrdered && ORDERED.has(type) && !isInner)
    const isPlan = child['Parent Relationship'] === 'SubPlan'
    return listViolations(growing, child, reads, {
      isOrdered: isOrdered && !isPlan,
      isRepeated: place.isRepeated || isInner || isPlan,
    })
  })
  return own ? [describe(growing, step), ...children] : children
}

function isLarge(growing: Growing, step: PlanStep, { isOrdered }: Place): boolean {
  const type = step['Node Type']
  if (type === 'Seq Scan') return growing.tables.has(step['Relation Name'] ?? '')
  const name = step['Index Name'] ?? ''
  const index = growing.indexes.get(name)
  if (index === undefined || growing.queues.has(name)) return false
  const condition = step['Index Cond'] ?? ''
  const chooses = index.columns.some(
    (column) => !COARSE.has(column) && hasColumn(condition, column),
  )
  // A bitmap has no order, and a filter may reject every row before the limit is reached.
  const ends = isOrdered && type !== 'Bitmap Index Scan' && step.Filter === undefined
  return !chooses && !ends
}

// Columns of the index are written without a table, other ones with it.
function hasColumn(condition: string, column: string): boolean {
  const at = condition.indexOf(column)
  if (at === -1) return false
  const isPart = /[\w.]/.test(condition[at - 1] ?? '')
  return !isPart || hasColumn(condition.slice(at + 1), column)
}

function describe(growing: Growing, step: PlanStep): string {
  const name = step['Index Name'] ?? ''
  const table = step['Relation Name'] ?? growing.indexes.get(name)?.table ?? ''
  const by = name === '' ? '' : ` by ${name} (${step['Index Cond'] ?? 'no condition'})`
  return `${step['Node Type']} of ${table}${by}`
}
