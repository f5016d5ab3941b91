-- The activity contains no name and no address of a person: its entries are never changed, but a person can ask to be
-- erased. An entry has only the id; the name is here, and can be replaced.

create table person_name (
  organization_id uuid not null,
  -- The id of the account, the invitation or the personal API key, which is the subject of entries.
  id uuid not null,
  kind text not null,
  -- The name of the account while the person is a member, later the last one; the address of an invitation; the name of
  -- a key, which its person has chosen.
  name text not null,
  -- The account; null = an invitation, because the address may belong to nobody.
  person uuid,
  -- The address of an invitation, as addresses are compared.
  address_key text,
  primary key (organization_id, id),
  constraint person_name_organization foreign key (organization_id) references organization (id),
  constraint person_name_kind check (kind in ('account', 'invitation', 'api-key')),
  constraint person_name_person check ((person is null) = (kind = 'invitation'))
);

create index person_name_by_person on person_name (organization_id, person) where person is not null;
create index person_name_by_address on person_name (organization_id, address_key)
  where address_key is not null;

-- An erased account keeps its id, which the history names, and nothing else.
alter table user_account
  add column erased_at timestamptz,
  add constraint user_account_erased check (
    erased_at is null
    or (name = 'Erased person' and email = 'erased:' || id and email_key = email and password_hash = '')
  );

-- Returns whether the subject of entries is a person, or something that a person has named for personal use.
create function names_person(kind text, details jsonb) returns boolean
language sql immutable as $$
  select kind in ('member', 'account', 'invitation')
    or (kind = 'api-key' and details ->> 'scope' in ('user', 'user_read'))
$$;

-- Returns an entry without names. The new name of a renamed account is not kept either.
create function remove_name(entry activity_entry) returns activity_entry
language plpgsql immutable as $$
begin
  if not names_person(entry.kind, entry.details) then
    return entry;
  end if;
  entry.name := '';
  if entry.action = 'renamed' then
    entry.details := null;
  end if;
  return entry;
end $$;

-- Moves the names out of the entries, and seals them again: each seal keeps its number, its entries and its time. A seal
-- that does not fit its entries stays as it is, so that `verify` still finds what was changed before. A function, because
-- an import of an older file needs it too. The caller must lift the trigger that rejects changes. It reads each entry
-- once for the seals, so nested loops over seals, for which there is no index, are switched off.
create function separate_person_names() returns void
language plpgsql
set enable_nestloop = off as $$
declare
  seal record;
  batch record;
  former_organization uuid;
  former_hash bytea;
  new_hash bytea;
  former_epoch integer;
  former_transaction xid8;
  former_position bigint;
begin
  insert into person_name (organization_id, id, kind, name, person)
  select distinct on (entry.organization_id, entry.subject)
    entry.organization_id, entry.subject::uuid,
    case when entry.kind = 'api-key' then 'api-key' else 'account' end,
    coalesce(entry.details -> 'after' ->> 'name', entry.name),
    case when entry.kind = 'api-key' then entry.person else entry.subject::uuid end
  from activity_entry as entry
  where entry.kind in ('member', 'account', 'api-key')
    and names_person(entry.kind, entry.details)
  order by entry.organization_id, entry.subject, entry.epoch desc, entry.transaction_id desc,
    entry.position desc
  -- An import can bring names of its own.
  on conflict (organization_id, id) do nothing;

  insert into person_name (organization_id, id, kind, name, person)
  select member.organization_id, account.id, 'account', account.name, account.id
  from organization_member as member
  join user_account as account on account.id = member.user_id
  union all
  select organization_id, id, 'api-key', display_name, user_id
  from api_key
  where user_id is not null
  on conflict (organization_id, id) do update
  set name = excluded.name;

  insert into person_name (organization_id, id, kind, name, address_key)
  select distinct on (organization_id, id) organization_id, id, 'invitation', name, address_key
  from (
    select organization_id, id, email as name, email_key as address_key, 1 as ordinal
    from invitation
    union all
    select organization_id, subject::uuid, name, lower(name), 2
    from activity_entry
    where kind = 'invitation'
  ) as known
  order by organization_id, id, ordinal
  on conflict (organization_id, id) do nothing;

  for seal in
    select sealed.organization_id, sealed.number, sealed.first_id, sealed.last_id,
      sealed.entry_count, sealed.fingerprints, sealed.hash, sealed.sealed_at, last.epoch,
      last.transaction_id, last.position
    from activity_seal as sealed
    join activity_entry as last on last.organization_id = sealed.organization_id
      and last.id = sealed.last_id
    order by sealed.organization_id, sealed.number
  loop
    if seal.organization_id is distinct from former_organization then
      former_organization := seal.organization_id;
      former_hash := null;
      new_hash := null;
      former_epoch := -1;
      former_transaction := '0';
      former_position := 0;
    end if;
    select
      string_agg(before_hash, '' order by epoch, transaction_id, position) as before_hashes,
      string_agg(substr(before_hash, 1, 8), '' order by epoch, transaction_id, position)
        as before_fingerprints,
      string_agg(coalesce(after_hash, before_hash), '' order by epoch, transaction_id, position)
        as after_hashes,
      string_agg(
        substr(coalesce(after_hash, before_hash), 1, 8), '' order by epoch, transaction_id, position
      ) as after_fingerprints
    into batch
    from (
      select entry.epoch, entry.transaction_id, entry.position,
        hash_activity_entry(entry) as before_hash,
        case
          when names_person(entry.kind, entry.details)
            then hash_activity_entry(remove_name(entry))
        end as after_hash
      from activity_entry as entry
      where entry.organization_id = seal.organization_id
        and (entry.epoch, entry.transaction_id, entry.position)
          > (former_epoch, former_transaction, former_position)
        and (entry.epoch, entry.transaction_id, entry.position)
          <= (seal.epoch, seal.transaction_id, seal.position)
      offset 0
    ) as hashed;
    if batch.before_fingerprints = seal.fingerprints
      and seal.hash = hash_activity_seal(
        former_hash, seal.organization_id, seal.number, seal.first_id, seal.last_id,
        seal.entry_count, seal.sealed_at, batch.before_hashes
      )
    then
      new_hash := hash_activity_seal(
        new_hash, seal.organization_id, seal.number, seal.first_id, seal.last_id,
        seal.entry_count, seal.sealed_at, batch.after_hashes
      );
      update activity_seal
      set fingerprints = batch.after_fingerprints, hash = new_hash
      where organization_id = seal.organization_id
        and number = seal.number;
    else
      new_hash := seal.hash;
    end if;
    former_hash := seal.hash;
    former_epoch := seal.epoch;
    former_transaction := seal.transaction_id;
    former_position := seal.position;
  end loop;

  update activity_sealing
  set hash = activity_seal.hash
  from activity_seal
  where activity_seal.organization_id = activity_sealing.organization_id
    and activity_seal.number = activity_sealing.number
    and activity_sealing.hash is distinct from activity_seal.hash;

  update activity_entry
  set name = '', details = (remove_name(activity_entry)).details
  where names_person(kind, details);

  -- Notifications of access have the name of the consumer. The id finds them if it is a person.
  update notification
  set data = data || jsonb_build_object('consumerUser', agreement.consumer_user)
  from access_agreement as agreement
  where notification.subject_kind = 'access'
    and notification.data ? 'consumer'
    and agreement.organization_id = notification.organization_id
    and agreement.external_id = notification.subject_id
    and agreement.consumer_user is not null;

  -- Those of deleted agreements: the consumer is in the audience.
  update notification
  set data = data || jsonb_build_object('consumerUser', account.id)
  from user_account as account
  where notification.subject_kind = 'access'
    and notification.data ? 'isDeleted'
    and notification.data ->> 'consumer' = account.name
    and notification.audience @> jsonb_build_array(
      jsonb_build_object('type', 'user', 'user', account.id)
    );
end $$;

-- Every write inserts entries, so writes wait until the names are moved. Taking the strongest lock at first prevents a
-- deadlock with transactions that read the activity before they write.
lock table activity_entry, activity_seal in access exclusive mode;
alter table activity_entry disable trigger activity_entry_only_grows;
alter table activity_seal disable trigger activity_seal_only_grows;
select separate_person_names();
alter table activity_entry enable trigger activity_entry_only_grows;
alter table activity_seal enable trigger activity_seal_only_grows;

alter table activity_entry
  add constraint activity_entry_person check (
    not names_person(kind, details) or (name = '' and (action <> 'renamed' or details is null))
  );
