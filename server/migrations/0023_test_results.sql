-- Results of tests against data contracts, as their publishers sent them. A contract need not exist: it may be
-- published after its tests.

create table test_result (
  organization_id uuid not null,
  external_id text not null collate "C",
  contract_id text not null collate "C",
  contract_version text,
  product_id text collate "C",
  output_port text,
  server text,
  branch text collate "C",
  result text not null,
  dry_run boolean not null,
  check_count integer,
  passed_count integer,
  document text not null,
  version integer not null,
  started_at timestamptz,
  ended_at timestamptz,
  -- The end of the test, but never later than its publication: a wrong clock must not hide later results.
  tested_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (organization_id, external_id),
  constraint test_result_result check (result in ('passed', 'warning', 'failed', 'error', 'unknown'))
);

create index test_result_by_time on test_result (organization_id, tested_at, external_id);
create index test_result_by_contract on test_result (organization_id, contract_id, tested_at desc, external_id desc);

-- Further members of the data of an event; null = none.
alter table event add column details jsonb;
