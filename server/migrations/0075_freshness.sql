-- When assets changed, and whether that is what contracts promise.

alter table asset_statistic
  -- The number of rows that were inserted, changed or deleted, as the source counts them; lower than before = reset.
  add column change_count bigint,
  -- The platform's id of the object that was counted: another object has another counter.
  add column counted_id text collate "C",
  -- The reading that found the count changed, and the reading before it: the data changed between them.
  add column count_changed_at timestamptz,
  add column count_changed_after timestamptz,
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
create index asset_statistic_day_by_day on asset_statistic_day (day);

-- The newest completed run of a pipeline that named an asset as its output.
create table asset_write (
  organization_id uuid not null references organization (id),
  -- The asset may be purged since.
  asset_id text collate "C" not null,
  completed_at timestamptz not null,
  -- Whether the freshness of its promises includes it.
  is_settled boolean not null default false,
  primary key (organization_id, asset_id)
);
create index asset_write_unsettled on asset_write (organization_id, asset_id) where not is_settled;

-- The newest instant in the data of a model, as a test found it.
create table freshness_check (
  organization_id uuid not null,
  contract_id text collate "C" not null,
  -- The server of the test; empty = it names none.
  server text collate "C" not null,
  -- The name of the model on its platform, or in the contract.
  model text collate "C" not null,
  latest_at timestamptz not null,
  tested_at timestamptz not null,
  result_id text collate "C" not null,
  primary key (organization_id, contract_id, server, model),
  foreign key (organization_id, result_id) references test_result (organization_id, external_id) on delete cascade
);
create index freshness_check_by_result on freshness_check (organization_id, result_id);

-- What a contract promises about the freshness of a model, as JSON; null = nothing.
alter table contract_promise add column freshness jsonb;

-- Whether the asset of a promise is as fresh as its contract promises. The state follows from these and the time:
-- unknown with a reason; fresh before `late_at`; late from it on, if the source was read since.
create table promise_freshness (
  organization_id uuid not null,
  contract_id text collate "C" not null,
  server text collate "C" not null,
  model text collate "C" not null,
  promised jsonb not null,
  evidence text check (evidence in ('check', 'lineage', 'data', 'counter', 'any')),
  evidence_at timestamptz,
  -- Null = the state does not change with time.
  late_at timestamptz,
  -- Whether the evidence is still the newest after `late_at`: pipelines report at once, sources are read by runs.
  is_confirmed boolean not null default false,
  unknown_because text,
  judged_at timestamptz not null,
  primary key (organization_id, contract_id, server, model),
  foreign key (organization_id, contract_id, server, model)
    references contract_promise (organization_id, contract_id, server, model) on delete cascade
);
create index promise_freshness_due on promise_freshness (late_at) where judged_at < late_at;
