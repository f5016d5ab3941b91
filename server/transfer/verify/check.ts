import { ALL_KINDS } from '../../platform/kinds.ts'
import type { Database } from '../../platform/tables.ts'
import type { RunQuery } from '../cursor.ts'

/** An invariant of every database. */
export interface Rule {
  /** The rule as a statement, shown to the operator. */
  name: string
  /** The action for the operator. */
  repair: string
}

/** A violation of a rule. */
export interface RuleViolation {
  rule: Rule
  text: string
}

/** A check of one or more rules. */
export interface Check {
  rules: readonly Rule[]
  /** Yields the findings. It may open cursors in the transaction, in which `db` runs statements of other modules. */
  findings(run: RunQuery, db: Database): AsyncIterable<RuleViolation>
}

/** The repair of damage that the data in the database cannot undo. */
export const RESTORE =
  'the data were changed outside of Portbook, or the disk is damaged. Restore a backup from before that.'

/** The SQL expression for the kind of a document in findings. */
export const KIND_WORDS = `case kind
      ${ALL_KINDS.map(({ kind, called }) => `when '${kind}' then '${called}'`).join('\n      ')}
      else kind
    end`

const FETCH_ROWS = 500

/**
 * Creates a check from a statement whose rows are the findings, with the columns organization_id and finding. The organization
 * is null if the finding is of the installation.
 */
export function sqlCheck(rule: Rule, statement: string): Check {
  return sqlChecks([rule], `select 0 as rule, organization_id, finding from (${statement}) as one`)
}

/** Creates a check of several rules from one statement. The column rule of its rows is the index of their rule. */
export function sqlChecks(rules: readonly Rule[], statement: string): Check {
  return {
    rules,
    async *findings(run) {
      await run(
        `declare findings no scroll cursor for
         select rule, finding, coalesce(organization.name, found.organization_id::text) as organization
         from (${statement}) as found
         left join organization on organization.id = found.organization_id
         order by organization, finding`,
      )
      for (;;) {
        const rows = await run<{ rule: number; finding: string; organization: string | null }>(
          `fetch ${FETCH_ROWS} from findings`,
        )
        if (rows.length === 0) break
        for (const { rule: index, finding, organization } of rows) {
          const rule = rules[index]
          if (rule === undefined) throw new Error(`unknown rule: ${index}`)
          const of = organization === null ? '' : ` (organization ${organization})`
          yield { rule, text: `${finding}${of}` }
        }
      }
      await run('close findings')
    },
  }
}

/** Creates a check that examines each of the rows, which it reads in batches. A row may have several findings. */
export function readingCheck<Row>(
  rule: Rule,
  readRows: (run: RunQuery) => AsyncIterable<readonly Row[]>,
  examine: (row: Row) => string | readonly string[] | undefined,
): Check {
  return {
    rules: [rule],
    async *findings(run) {
      for await (const rows of readRows(run)) {
        for (const text of rows.flatMap((row) => examine(row) ?? [])) yield { rule, text }
      }
    },
  }
}
