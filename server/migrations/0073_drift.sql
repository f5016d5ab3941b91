-- The differences between what contracts promise and what their assets are.

alter table asset_link
  -- Since when the asset has not been compared with the promise, because there was too much to compare at once; the upkeep
  -- does it. Null = the last comparison is current.
  add column comparing_since timestamptz,
  -- The number of differences beyond the maximum, which are not stored.
  add column omitted_count integer not null default 0;
create index asset_link_comparing on asset_link (comparing_since) where comparing_since is not null;

-- The comparisons of a run, before it is published.
create table staged_drift (
  organization_id uuid not null,
  run_id uuid not null,
  fence bigint not null,
  contract_id text collate "C" not null,
  server text collate "C" not null,
  model text collate "C" not null,
  asset_id text collate "C" not null,
  promise_digest text not null,
  asset_digest text not null,
  -- [{field, aspect, level, promised, actual}]
  findings jsonb not null,
  omitted_count integer not null,
  unverifiable jsonb not null,
  primary key (organization_id, run_id, fence, contract_id, server, model)
);

create table drift_finding (
  organization_id uuid not null references organization (id),
  id uuid not null,
  contract_id text collate "C" not null,
  server text collate "C" not null,
  model text collate "C" not null,
  -- The name of the field in the contract, or of an additional column; empty = the model.
  field text collate "C" not null,
  aspect text not null,
  level text not null check (level in ('breaking', 'additive')),
  promised text,
  actual text,
  asset_id text collate "C",
  is_production boolean not null,
  -- Null = the contract changed.
  first_run_id uuid,
  first_seen_at timestamptz not null,
  changed_at timestamptz not null,
  resolved_at timestamptz,
  resolved_because text check (resolved_because in ('run', 'contract', 'link', 'asset')),
  accepted_until timestamptz,
  accepted_reason text,
  accepted_by text,
  accepted_at timestamptz,
  primary key (organization_id, id)
);
-- The other names together fill an index entry.
create unique index drift_finding_open on drift_finding (organization_id, contract_id, server, model, md5(field), aspect)
  where resolved_at is null;
create index drift_finding_by_contract on drift_finding (organization_id, contract_id, first_seen_at desc, id);
-- Lists filter by what they include, so that a rare value needs no row of the table. The condition on the time is always true:
-- only lists have it, so that nothing that looks up the findings of a promise reads these indexes instead, which would read all.
create index drift_finding_open_by_time on drift_finding (organization_id, first_seen_at desc, id)
  include (contract_id, level, asset_id, accepted_until) where resolved_at is null and first_seen_at > '-infinity';
create index drift_finding_resolved_by_time on drift_finding (organization_id, first_seen_at desc, id)
  include (contract_id, level, asset_id) where resolved_at is not null and first_seen_at > '-infinity';
create index drift_finding_by_asset on drift_finding (organization_id, asset_id) where asset_id is not null;
create index drift_finding_by_resolution on drift_finding (resolved_at) where resolved_at is not null;
create index drift_finding_by_acceptance on drift_finding (accepted_until)
  where accepted_until is not null and resolved_at is null;
