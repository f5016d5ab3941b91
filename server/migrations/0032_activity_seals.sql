-- Entries of activity are sealed in batches: a seal has the hash of its entries and of the seal before it, so that later
-- changes, deletions and insertions outside of Portbook are found. No write waits for a seal.

create table activity_seal (
  organization_id uuid not null,
  -- Counts from 1 without gaps.
  number integer not null,
  -- The first and the last entry of the batch, by their ids, because positions differ in an imported store.
  first_id uuid not null,
  last_id uuid not null,
  entry_count integer not null,
  -- The first eight bytes of the hash of each entry, in order, to find out which entry was changed.
  fingerprints bytea not null,
  hash bytea not null,
  sealed_at timestamptz not null,
  primary key (organization_id, number),
  constraint activity_seal_count check (entry_count > 0)
);

create trigger activity_seal_only_grows
  before update or delete or truncate on activity_seal
  for each statement execute function reject_activity_change();

-- The last seal and the last sealed entry of each organization. They follow from the seals, so exports do not contain
-- them. Its lock lets one process seal, which then reads the newest hash in any snapshot.
create table activity_sealing (
  organization_id uuid primary key,
  number integer not null,
  -- Null = no seal.
  hash bytea,
  epoch integer not null,
  transaction_id xid8 not null,
  position bigint not null
);

-- Returns the hash of an entry: SHA-256 of a JSON array of its columns, without its place in this database.
create function hash_activity_entry(entry activity_entry) returns bytea
language sql stable as $$
  select sha256(convert_to(
    json_build_array(
      entry.organization_id, entry.id, (extract(epoch from entry.at) * 1000000)::bigint,
      entry.principal, entry.request_id, entry.kind, entry.subject, entry.name, entry.action,
      entry.level, entry.team, entry.person, entry.version_before, entry.version_after,
      entry.details::text
    )::text,
    'UTF8'
  ))
$$;

-- Returns the hash of a seal: SHA-256 of the hash of the seal before it (nothing for the first), and of a JSON array of
-- its own columns with the SHA-256 of the hashes of its entries.
create function hash_activity_seal(
  former bytea, organization_id uuid, number integer, first_id uuid, last_id uuid,
  entry_count integer, sealed_at timestamptz, entry_hashes bytea
) returns bytea
language sql immutable as $$
  select sha256(
    coalesce(former, ''::bytea) || convert_to(
      json_build_array(
        organization_id, number, first_id, last_id, entry_count,
        (extract(epoch from sealed_at) * 1000000)::bigint, encode(sha256(entry_hashes), 'hex')
      )::text,
      'UTF8'
    )
  )
$$;

-- The activity page no longer reads the history and the runs.
drop index revision_by_change;
drop index revision_by_deletion;
drop index ingestion_run_by_change;
