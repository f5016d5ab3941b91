/**
 * The statements with which a file of a version that kept the names of people in the activity is imported, as the
 * migration did it: the constraint and the triggers are lifted, the entries inserted, the names moved.
 */

/** The migration that moved the names. */
export const NAMES_MIGRATION = '0061_person_names.sql'

/** Admits entries with names and changes of entries, until the end of the transaction or `SEPARATE_NAMES`. */
export const ADMIT_NAMES = `
  alter table activity_entry
    drop constraint activity_entry_person,
    disable trigger activity_entry_only_grows;
  alter table activity_seal disable trigger activity_seal_only_grows`

/** Moves the names out of the imported entries, seals them again, and rejects both from then on. */
export const SEPARATE_NAMES = `
  select separate_person_names();
  alter table activity_entry
    add constraint activity_entry_person check (
      not names_person(kind, details) or (name = '' and (action <> 'renamed' or details is null))
    ),
    enable trigger activity_entry_only_grows;
  alter table activity_seal enable trigger activity_seal_only_grows`
