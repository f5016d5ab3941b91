-- The outcome of each check over time, and incidents of contracts.

-- One row for each check: its newest outcomes, oldest first.
create table test_check (
  organization_id uuid not null references organization (id),
  contract_id text collate "C" not null,
  -- The server of the results; empty = they name none.
  server text collate "C" not null,
  -- The output port of the results, as the JSON list of the data product and the port; empty = they name none.
  port text collate "C" not null,
  check_key text collate "C" not null,
  name text,
  model text,
  field text,
  -- The key of the quality rule of the contract; null = the results refer to none.
  rule_key text collate "C",
  outcome text not null check (outcome in ('passed', 'warning', 'failed', 'error', 'info', 'skipped', 'unknown')),
  failing_since timestamptz,
  tested_at timestamptz not null,
  -- The version of the contract that was tested, as its author wrote it.
  tested_version text,
  -- At most 60 outcomes, a letter each: p, w, f, e, i, s and u as above.
  outcomes text collate "C" not null,
  -- The times of their results and the measured values, at equal positions.
  times timestamptz[] not null,
  values double precision[] not null,
  primary key (organization_id, contract_id, server, port, check_key)
);

-- Incidents replace the kind of notification of failed tests.
update notification_setting set kind = 'incident' where kind = 'test_failed';
update notification_channel_setting set kind = 'incident' where kind = 'test_failed';
update notification set kind = 'incident', data = data || '{"incident": "test", "action": "opened"}'
where kind = 'test_failed';

-- Whether the document of a result has samples, which are deleted after 30 days; null = unknown.
alter table test_result add column has_samples boolean;
create index test_result_with_samples on test_result (updated_at) where has_samples is distinct from false;

create table incident (
  organization_id uuid not null references organization (id),
  id uuid not null,
  kind text not null check (kind in ('test', 'drift', 'late', 'access')),
  contract_id text collate "C" not null,
  -- The server of the contract; empty = all of them.
  server text collate "C" not null,
  -- What happened; its members depend on the kind.
  facts jsonb not null,
  -- Who was notified, at its openings and its resolution: [{at, occasion, reason, teams, people, mailed, digest}]
  notified jsonb not null default '[]',
  -- Counts the changes: its openings, its acknowledgement, its resolutions.
  version integer not null default 1,
  severity text not null check (severity in ('warning', 'error')),
  opened_at timestamptz not null,
  opened_by text not null,
  acknowledged_at timestamptz,
  acknowledged_by text,
  note text,
  resolved_at timestamptz,
  resolved_because text,
  primary key (organization_id, id)
);
create unique index incident_open on incident (organization_id, contract_id, server, kind) where resolved_at is null;
create index incident_by_contract on incident (organization_id, contract_id, opened_at desc, id);
-- In the order of lists: open ones first, then the newest.
create index incident_by_time on incident (organization_id, ((resolved_at is not null)::integer), opened_at desc, id desc);
create index incident_by_resolution on incident (resolved_at) where resolved_at is not null;
