import { sql, type RawBuilder } from 'kysely'
import { NO_NAME } from './person-record.ts'
import { appendActivity, type EntryOrigin, type NewEntry } from './record.ts'

// SQL fragments that record changes of sign-in providers, of the rules of signing in and of the directory. Owners see
// the entries; those about a person are also visible to that person.

/** The actions on resources, by the kind of entry. */
interface ResourceActions {
  'identity-provider': 'created' | 'updated' | 'enabled' | 'disabled' | 'deleted' | 'secret-set'
  /** `updated` is about the rule, whose id is `rule`; the others are about a mail domain, whose id is its name. */
  'sign-in-rule': 'updated' | 'domain-added' | 'domain-verified' | 'domain-removed'
  directory: 'key-created' | 'key-deleted' | 'group-created' | 'group-updated' | 'group-deleted'
}

/** The actions on people, by the kind of entry. */
interface PersonActions {
  'identity-provider': 'linked' | 'unlinked'
  'sign-in-rule': 'break-glass-added' | 'break-glass-removed' | 'break-glass-used'
  /** `provisioned` = the directory created the account; `updated` = its record of the person changed. */
  directory: 'provisioned' | 'updated' | 'suspended' | 'restored'
}

/** A change; without an instant, it happens now. */
type IdentityChange<Actions> = {
  [Kind in keyof Actions]: { kind: Kind; action: Actions[Kind] | RawBuilder<unknown> }
}[keyof Actions] &
  Partial<Pick<NewEntry, 'at' | 'details'>>

/**
 * SQL fragment: the entry of each resource in a result with id and name, in the statement that changes it. The name is
 * that of the provider, the domain or the group, or the visible beginning of the key.
 */
export function appendIdentityResources(
  origin: EntryOrigin,
  { at = sql`clock_timestamp()`, ...change }: IdentityChange<ResourceActions>,
  result: string,
): RawBuilder<unknown> {
  const entry = { ...change, at, subject: sql`changed.id`, name: sql`changed.name` }
  return appendActivity(origin, entry, sql`from ${sql.table(result)} as changed`)
}

/**
 * SQL fragment: the entry of each person in a result with user_id, in the statement that links, suspends or otherwise
 * changes them. Details have ids of providers or groups, and never an address or a name of a person.
 */
export function appendIdentityPeople(
  origin: EntryOrigin,
  { at = sql`clock_timestamp()`, ...change }: IdentityChange<PersonActions>,
  result: string,
): RawBuilder<unknown> {
  const person = sql`changed.user_id`
  const entry = { ...change, at, subject: person, name: NO_NAME, person }
  return appendActivity(origin, entry, sql`from ${sql.table(result)} as changed`)
}
