import { ApiError } from '../../platform/errors.ts'
import { readResult } from '../../reports/test-results/task.ts'
import { COUNTED_MONTHS } from '../../reports/usage/span.ts'
import { readInBatches } from '../cursor.ts'
import { readingCheck, RESTORE, sqlCheck, type Check, type Rule } from './check.ts'

// A member that is not text, or empty, is ignored when a report is stored.
const readText = (path: string): string =>
  `nullif(case when json_typeof(sent #> '{${path}}') = 'string' then sent #>> '{${path}}' end, '')`

/**
 * Creates a check that columns of reports follow from the texts of these. `members` maps each column to the SQL
 * expression for its value in the text `sent`; `called` is the one for the name of a report.
 */
function memberCheck(
  rule: Rule,
  from: { table: string; called: string; text: string },
  members: Readonly<Record<string, string>>,
): Check {
  const rows = Object.entries(members).map(([name, value]) => `('${name}', ${name}, ${value})`)
  return sqlCheck(
    rule,
    `select organization_id, ${from.called} || ': its ' || member || ' is not that of its text' as finding
     from (select *, ${from.text}::json as sent from ${from.table}) as stored
     cross join lateral (values ${rows.join(', ')}) as expected (member, stored_text, sent_text)
     where stored_text is distinct from sent_text`,
  )
}

interface StoredResult {
  id: string
  organization: string
  document: string
  format: 'test-result' | 'oors'
  contractId: string
  branch: string | null
  server: string | null
  result: string
}

/** Reads every test result again, and compares the columns by which it is found. */
export const TEST_RESULT_CHECK: Check = readingCheck<StoredResult>(
  {
    name: 'the contracts and outcomes of test results are those of their texts',
    repair: `${RESTORE} Or publish the result again with a change.`,
  },
  (run) =>
    readInBatches<StoredResult>(run, {
      name: 'test_results',
      select: `external_id as id, organization.name as organization, document, format,
        contract_id as "contractId", branch, server, result`,
      from: 'test_result join organization on organization.id = organization_id',
      bytes: 'octet_length(document) * 2 + 1000',
    }),
  examineResult,
)

// The contract of a result on a branch, and of observability results, may be that of the path, if the text names none.
function examineResult(row: StoredResult): string[] {
  const { contractId, branch } = row
  const called = `test result "${row.id}" (organization ${row.organization})`
  const path = branch === null ? undefined : { contractId, branch }
  try {
    const { sent } = readResult.run({ text: row.document, path, contractId })
    return (['contractId', 'server', 'result'] as const).flatMap((member) =>
      sent[member] === row[member]
        ? []
        : [`${called}: its ${MEMBERS[member]} is not that of its text`],
    )
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [`${called}: its text cannot be read: ${error.message}`]
  }
}

const MEMBERS = { contractId: 'contract_id', server: 'server', result: 'result' } as const

/** Checks that lineage events are found by the members that are in their texts. */
export const LINEAGE_EVENT_CHECK: Check = memberCheck(
  {
    name: 'the runs and jobs of lineage events are those of their texts',
    repair: `${RESTORE} Or delete the events of the run with DELETE /api/v1/lineage?runId=.`,
  },
  { table: 'lineage_event', called: `'lineage event ' || id`, text: 'document' },
  {
    event_type: readText('eventType'),
    run_id: `case when kind = 'run' then ${readText('run,runId')} end`,
    job_namespace: readText('job,namespace'),
    job_name: readText('job,name'),
  },
)

const COUNT_KEY = 'organization_id, data_product_id, day, output_port, user_name, role, access_id'

/** Checks that the counts of days are those of the stored spans. */
export const USAGE_DAY_CHECK: Check = sqlCheck(
  { name: 'every day of usage counts its stored spans', repair: RESTORE },
  `select organization_id,
     format(
       'data product "%s" on %s: %s queries with %s rows are counted instead of %s with %s',
       data_product_id, day, coalesce(counted.query_count, 0), coalesce(counted.row_count, 0),
       coalesce(stored.query_count, 0), coalesce(stored.row_count, 0)
     ) as finding
   from usage_day as counted
   full join (
     select organization_id, data_product_id, (started_at at time zone 'UTC')::date as day,
       output_port, user_name, role, access_id, count(*) as query_count,
       sum(row_count) as row_count
     from usage_span
     group by 1, 2, 3, 4, 5, 6, 7
   ) as stored using (${COUNT_KEY})
   where (coalesce(counted.query_count, 0), coalesce(counted.row_count, 0))
     is distinct from (coalesce(stored.query_count, 0), coalesce(stored.row_count, 0))`,
)

// Older months are deleted, while the days of their stored spans stay.
const FIRST_MONTH = `(
     date_trunc('month', now(), 'UTC') - make_interval(months => ${COUNTED_MONTHS - 1})
   )`

/** Checks that the counts of the counted months are those of their days. */
export const USAGE_MONTH_CHECK: Check = sqlCheck(
  { name: 'every month of usage counts its days', repair: RESTORE },
  `select organization_id,
     format(
       'data product "%s" in the month from %s: %s queries with %s rows are counted instead of %s with %s',
       data_product_id, month, coalesce(counted.query_count, 0), coalesce(counted.row_count, 0),
       coalesce(days.query_count, 0), coalesce(days.row_count, 0)
     ) as finding
   from usage_month as counted
   full join (
     select organization_id, data_product_id, date_trunc('month', day::timestamp)::date as month,
       consumer_digest, output_port, user_name, role, access_id,
       sum(query_count + archived_query_count) as query_count,
       sum(row_count + archived_row_count) as row_count
     from usage_day
     group by 1, 2, 3, 4, 5, 6, 7, 8
   ) as days using (
     organization_id, data_product_id, month, consumer_digest, output_port, user_name, role, access_id
   )
   where (coalesce(counted.query_count, 0), coalesce(counted.row_count, 0))
     is distinct from (coalesce(days.query_count, 0), coalesce(days.row_count, 0))
     and month >= (${FIRST_MONTH} at time zone 'UTC')::date`,
)
