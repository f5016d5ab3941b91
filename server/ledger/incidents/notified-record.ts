import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'

const NOTIFIED_MAX = 20

/**
 * SQL fragment, `update incident …`, that records who is notified of incidents, in the statement that finds the recipients of
 * notifications. It reads its results `due`, `audience`, `addressed`, `chosen` and `channelled`.
 */
export function recordNotified(clock: Clock, organizationId: string): RawBuilder<unknown> {
  return sql`
      update incident
      set notified = case
          when jsonb_array_length(incident.notified) + jsonb_array_length(entry.notified) > ${NOTIFIED_MAX}
            then entry.notified
          else incident.notified || entry.notified
        end
      from (
        select (due.data ->> 'incidentId')::uuid as incident_id,
          jsonb_agg(jsonb_build_object(
            'at', to_char(${clock.now} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
            'occasion', due.data ->> 'action',
            'people', (
              select coalesce(jsonb_object_agg(reason, count), '{}')
              from (
                select reason, count(*)
                from chosen
                where chosen.id = due.id
                  and (on_page or email <> 'off')
                group by reason
              ) as counted
            ),
            'teams', (
              select coalesce(jsonb_agg(distinct addressed.team), '[]')
              from addressed
              join audience on audience.id = addressed.id
                and audience.ordinal = addressed.ordinal
                and not audience.entry ? 'email'
              where addressed.id = due.id
            ),
            'mailedCount', (
              select count(*) from chosen where chosen.id = due.id and email = 'immediate'
            ),
            'digestCount', (
              select count(*) from chosen where chosen.id = due.id and email = 'digest'
            ),
            'channelCount', (select count(*) from channelled where notification_id = due.id)
          ) order by due.id) as notified
        from due
        where due.kind = 'incident'
          and due.data ? 'incidentId'
        group by due.data ->> 'incidentId'
      ) as entry
      where incident.organization_id = ${organizationId}
        and incident.id = entry.incident_id`
}
