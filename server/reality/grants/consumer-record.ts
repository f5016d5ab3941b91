import { sql, type RawBuilder } from 'kysely'

// SQL expressions about a row of `access_agreement`, by its alias: the consumer as subjects of names have it.

/** SQL expression: the kind of the consumer of an agreement. */
export function selectConsumerKind(alias: string): RawBuilder<unknown> {
  return sql`case ${sql.ref(`${alias}.consumer_type`)}
          when 'user' then 'user' when 'team' then 'team' else 'data-product' end`
}

/** SQL expression: the id of the consumer of an agreement. A data product that consumes also has a team. */
export function selectConsumerId(alias: string): RawBuilder<unknown> {
  const column = (name: string): RawBuilder<unknown> => sql.ref(`${alias}.${name}`)
  return sql`coalesce(
          ${column('consumer_product')}, ${column('consumer_user')}::text, ${column('consumer_team')}
        )`
}
