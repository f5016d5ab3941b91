/** Turns a store into one of a version that kept the names of people in the activity. */

import type { Database } from '../server/platform/tables.ts'
import { sql } from 'kysely'

/** The migration that moves the names. */
export const NAMES_MIGRATION = '0061_person_names.sql'

/**
 * Puts the names back into the entries and deletes the seals, so that sealing writes them as it did then. A rename has
 * the former name, as it had.
 */
export async function restoreNames(db: Database): Promise<void> {
  const statements = [
    `alter table activity_entry
       drop constraint activity_entry_person,
       disable trigger activity_entry_only_grows`,
    'alter table activity_seal disable trigger activity_seal_only_grows',
    `update activity_entry
     set name = person_name.name,
       details = case
         when action = 'renamed' then jsonb_build_object(
           'before', jsonb_build_object('name', 'Former ' || person_name.name),
           'after', jsonb_build_object('name', person_name.name)
         )
         else details
       end
     from person_name
     where person_name.organization_id = activity_entry.organization_id
       and person_name.id::text = activity_entry.subject
       and names_person(activity_entry.kind, activity_entry.details)`,
    `update notification set data = data - 'consumerUser'`,
    'delete from activity_seal',
    'delete from activity_sealing',
    'delete from person_name',
    'alter table activity_entry enable trigger activity_entry_only_grows',
    'alter table activity_seal enable trigger activity_seal_only_grows',
    `delete from schema_migration where name = '${NAMES_MIGRATION}'`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Drops what the migration creates, so that it can run again. */
export async function dropNames(db: Database): Promise<void> {
  const statements = [
    'drop table person_name',
    'alter table user_account drop column erased_at',
    'drop function separate_person_names, remove_name, names_person',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
