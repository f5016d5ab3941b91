-- When assets changed, and whether that is what contracts promise.

alter table asset_statistic
  -- The number of rows that were inserted, changed or deleted, as the source counts them; lower than before = reset.
  add column change_count bigint,
  -- What `changed_at` is the time of: data = rows, definition = the schema, any = either.
  add column changed_means text check (changed_means in ('data', 'any', 'definition'));
alter table staged_asset add column change_count bigint, add column changed_means text;

-- The statistics of linked assets by day, when a value changed: 92 days, then one a week for two years.
create table asset_statistic_day (
  organization_id uuid not null,
  asset_id text collate "C" not null,
  day date not null,
  row_count bigint,
  size_bytes bigint,
  changed_at timestamptz,
  primary key (organization_id, asset_id, day),
  foreign key (organization_id, asset_id) references asset (organization_id, external_id) on delete cascade
);

-- Whether the asset of a promise is as fresh as its contract promises. `state` is that at `judged_at`: an asset is late
-- from `late_at` on.
create table promise_freshness (
  organization_id uuid not null,
  contract_id text collate "C" not null,
  server text collate "C" not null,
  model text collate "C" not null,
  -- Null = without a promise that can be judged.
  promised jsonb,
  evidence text check (evidence in ('check', 'lineage', 'data', 'counter', 'any')),
  evidence_at timestamptz,
  late_at timestamptz,
  unknown_because text,
  judged_at timestamptz not null,
  primary key (organization_id, contract_id, server, model),
  foreign key (organization_id, contract_id, server, model)
    references contract_promise (organization_id, contract_id, server, model) on delete cascade
);
create index promise_freshness_by_late on promise_freshness (late_at) where late_at is not null;
