import { sql, type RawBuilder } from 'kysely'

// Far more levels than any tree of teams.
const LEVELS_MAX = 100

/**
 * Selects a team and the teams above it, whose roles it inherits, as `line`: one row for each, with its `distance` from
 * the team. It needs `with recursive`.
 */
export function selectLine(organizationId: string, team: string | null): RawBuilder<unknown> {
  return sql`line as (
      select id, parent_id, name, 0 as distance
      from team
      where organization_id = ${organizationId}
        and external_id = ${team}
      union all
      select team.id, team.parent_id, team.name, line.distance + 1
      from line
      join team on team.organization_id = ${organizationId}
        and team.id = line.parent_id
      where line.distance < ${LEVELS_MAX}
    )`
}
