import { sql, type RawBuilder } from 'kysely'

/**
 * Selects the teams with a name or an external id, in any letter case: a subquery that is executed once, since it
 * does not refer to the row.
 */
export function selectTeams(
  organizationId: string,
  text: string,
  column: 'id' | 'external_id' | 'name',
): RawBuilder<unknown> {
  return sql`(
    select ${sql.ref(column)}
    from team
    where organization_id = ${organizationId}
      and lower(${text}) in (lower(external_id), lower(name))
  )`
}
