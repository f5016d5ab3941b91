import { RESTORE, sqlChecks, type Check } from './check.ts'

const IN_ACTIVITY = 'no entry of the activity contains the name or the address of a person'
const NAMED = 'every person, invitation and personal key in the activity has a name beside it'
const CURRENT = 'the names beside the activity are those of the members and their keys'
const ERASED = 'nothing is left of an erased person but the id'
const SIGN_IN =
  'every organization that requires its identity provider has an owner who can sign in without it'
const ALLOW =
  'run "portbook allow-any-sign-in <organization>", then choose break-glass owners who have a password.'

// Entries whose subject has its name elsewhere. A person without a row would be shown without a name, also to those who
// may know it.
const SELECT_NAMED = `
     select 0 as rule, organization_id, format(
       '%s %s "%s" at %s has a name', action, kind, left(subject, 100),
       to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
     ) as finding
     from activity_entry
     where names_person(kind, details)
       and (name <> '' or (action = 'renamed' and details is not null))
     union all
     select 1, entry.organization_id, format('%s %s has no name', entry.kind, entry.subject)
     from (
       select distinct organization_id, kind, subject
       from activity_entry
       where names_person(kind, details)
     ) as entry
     left join person_name on person_name.organization_id = entry.organization_id
       and person_name.id::text = entry.subject
     where person_name.id is null`

const SELECT_OTHER = `
     select 2, known.organization_id, format('%s %s has another name, or none', known.kind, known.id)
     from (
       select member.organization_id, 'account' as kind, account.id, account.name, account.id as person
       from organization_member as member
       join user_account as account on account.id = member.user_id
       union all
       select organization_id, 'api-key', id, display_name, user_id
       from api_key
       where user_id is not null
     ) as known
     left join person_name on person_name.organization_id = known.organization_id
       and person_name.id = known.id
       and person_name.kind = known.kind
       and person_name.person = known.person
     where person_name.name is distinct from known.name`

const SELECT_LEFT = `
     select 3, null::uuid, format('the erased account %s is still in %s', account.id, kept.table_name)
     from user_account as account
     cross join lateral (
       select 'organization_member'
       where exists (select from organization_member where user_id = account.id)
       union all
       select 'session'
       where exists (select from session where user_id = account.id)
       union all
       select 'password_reset'
       where exists (select from password_reset where user_id = account.id)
       union all
       select 'person_name'
       where exists (
         select
         from person_name
         where person = account.id
           and name not in ('Erased person', 'Erased key')
       )
     ) as kept (table_name)
     where account.erased_at is not null`

const SELECT_LOCKED = `
     select 4, sign_in.organization_id, 'it has no break-glass owner with a password'
     from organization_sign_in as sign_in
     where sign_in.rule = 'provider'
       and not exists (
         select
         from break_glass
         join organization_member as member on member.organization_id = break_glass.organization_id
           and member.user_id = break_glass.user_id
         join user_account as account on account.id = member.user_id
         where break_glass.organization_id = sign_in.organization_id
           and member.role = 'Owner'
           and member.suspended_at is null
           and account.password_hash <> ''
       )`

/** Checks that names of people are only where erasing a person replaces them, and that owners are not locked out. */
export const PEOPLE_CHECK: Check = sqlChecks(
  [
    { name: IN_ACTIVITY, repair: RESTORE },
    { name: NAMED, repair: RESTORE },
    { name: CURRENT, repair: RESTORE },
    { name: ERASED, repair: RESTORE },
    { name: SIGN_IN, repair: ALLOW },
  ],
  [SELECT_NAMED, SELECT_OTHER, SELECT_LEFT, SELECT_LOCKED].join('\n     union all'),
)
