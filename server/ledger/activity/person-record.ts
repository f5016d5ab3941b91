import { sql, type RawBuilder } from 'kysely'

// The names of people, and of what they name for personal use, are not in the entries of the activity, which are never
// changed, but in `person_name`, where erasing a person replaces them.

/** The name of an entry whose subject has its name in `person_name`. */
export const NO_NAME = sql`''`

/** A name of `person_name`, as expressions of the columns that the statement has changed. */
interface NewPersonName {
  kind: 'account' | 'invitation' | 'api-key'
  organizationId: string | RawBuilder<unknown>
  /** The UUID of the account, the invitation or the personal key, which is the subject of its entries. */
  id: RawBuilder<unknown>
  name: string | RawBuilder<unknown>
  /** The UUID of the account; absent = none, for an invitation. */
  person?: RawBuilder<unknown>
  /** The address of an invitation, as addresses are compared. */
  addressKey?: RawBuilder<unknown>
}

/**
 * SQL fragment, `insert into person_name …`, that keeps the name for each row of a from clause, in the statement that
 * inserts or renames it.
 */
export function keepName(
  { kind, organizationId, id, name, person, addressKey }: NewPersonName,
  from: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    insert into person_name (organization_id, id, kind, name, person, address_key)
    select ${organizationId}::uuid, ${id}, ${kind}, ${name}::text, ${person ?? null}::uuid,
      ${addressKey ?? null}::text
    ${from}
    on conflict (organization_id, id) do update
    set name = excluded.name, address_key = excluded.address_key
    where person_name.name <> excluded.name
      or person_name.address_key is distinct from excluded.address_key`
}

/**
 * SQL expression: the name of the subject of an entry, whose columns `kind` and `name` have the qualifier. The subject of
 * an entry without a name is a UUID.
 */
export function selectName(
  organizationId: string | RawBuilder<unknown>,
  entry: string,
  subjectColumn = 'subject',
): RawBuilder<unknown> {
  const subject = sql.ref(`${entry}.${subjectColumn}`)
  const name = sql.ref(`${entry}.name`)
  return sql`case
        when ${name} = '' and ${sql.ref(`${entry}.kind`)} in (
          'member', 'account', 'invitation', 'api-key', 'identity-provider', 'sign-in-rule', 'directory'
        )
          then coalesce((
            select person_name.name
            from person_name
            where person_name.organization_id = ${organizationId}
              and person_name.id = ${subject}::uuid
          ), '')
        else ${name}
      end`
}
