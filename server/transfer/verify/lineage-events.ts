import { RESTORE, sqlCheck, type Check } from './check.ts'

// A member that is not text, or empty, is ignored when an event is stored.
const readText = (path: string): string =>
  `nullif(case when json_typeof(event #> '{${path}}') = 'string' then event #>> '{${path}}' end, '')`

const MEMBERS = [
  ['event_type', readText('eventType')],
  ['run_id', `case when kind = 'run' then ${readText('run,runId')} end`],
  ['job_namespace', readText('job,namespace')],
  ['job_name', readText('job,name')],
] as const

/** Checks that lineage events are found by the members that are in their texts. */
export const LINEAGE_EVENT_CHECKS: readonly Check[] = [
  sqlCheck(
    {
      name: 'the runs and jobs of lineage events are those of their texts',
      repair: `${RESTORE} Or delete the events of the run with DELETE /api/v1/lineage?runId=.`,
    },
    `select organization_id, format('lineage event %s: its %s is not that of its text', id, member) as finding
     from (select *, document::json as event from lineage_event) as stored
     cross join lateral (
       values ${MEMBERS.map(([name, text]) => `('${name}', ${name}, ${text})`).join(', ')}
     ) as expected (member, stored_text, sent_text)
     where stored_text is distinct from sent_text`,
  ),
]
