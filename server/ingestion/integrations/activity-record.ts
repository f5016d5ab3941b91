import { sql, type RawBuilder } from 'kysely'
import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { appendActivity, selectTeam, type NewEntry } from '../../ledger/activity/record.ts'

/**
 * SQL fragment: the entry of each integration in a result that has all of its columns, in the statement that changes it.
 */
export function appendIntegrations(
  { organizationId, ...actor }: ActivityActor & { organizationId: string },
  { action, details, at }: Pick<NewEntry, 'action' | 'details' | 'at'>,
  from: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const entry = {
    kind: 'integration',
    action,
    at,
    subject: sql`integration.external_id`,
    name: sql`integration.name`,
    team: selectTeam(organizationId, sql`integration.owner_team_id`),
    details,
  } as const
  return appendActivity({ organizationId, ...actor }, entry, from)
}

/** SQL expression: the properties of a row that people set. The fields of the connector are not among them. */
export function selectProperties(organizationId: string, table: string): RawBuilder<unknown> {
  const of = (column: string): RawBuilder<unknown> => sql.ref(`${table}.${column}`)
  return sql`jsonb_build_object(
      'name', ${of('name')}, 'team', ${selectTeam(organizationId, of('owner_team_id'))},
      'schedule', ${of('schedule_expression')}, 'timeZone', ${of('schedule_time_zone')},
      'enabled', ${of('enabled')}
    )`
}

/**
 * SQL expression: the properties before and after a change, and the names of the connector's fields that it changed. The
 * values of these fields are left out: they show where a source is and which account reads it.
 */
export function selectChange(organizationId: string): RawBuilder<unknown> {
  return sql`jsonb_build_object(
      'before', ${selectProperties(organizationId, 'former')},
      'after', ${selectProperties(organizationId, 'integration')},
      'fields', (
        select coalesce(jsonb_agg(field order by field), '[]')
        from jsonb_object_keys(former.configuration || integration.configuration) as field
        where former.configuration -> field is distinct from integration.configuration -> field
      )
    )`
}
