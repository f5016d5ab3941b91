-- The signals of trust of data products, output ports, data contracts and assets, written with each cause. Time is applied
-- at reading.
create table trust_state (
  organization_id uuid not null references organization (id),
  kind text not null check (kind in ('data-product', 'output-port', 'data-contract', 'asset')),
  -- The id; of an output port the JSON list of the data product and the port.
  subject text collate "C" not null,
  -- 3 = critical, 2 = caution, 1 = neutral, 0 = positive: the highest is the worst.
  tests smallint not null check (tests between 0 and 3),
  freshness smallint not null check (freshness between 0 and 3),
  drift smallint not null check (drift between 0 and 3),
  standing smallint not null check (standing between 0 and 3),
  reasons jsonb not null,
  tests_stale_at timestamptz,
  late_at timestamptz,
  -- The time at which a signal changes by itself; null = never.
  next_due_at timestamptz,
  updated_at timestamptz not null,
  primary key (organization_id, kind, subject)
);
create index trust_state_by_due on trust_state (next_due_at) where next_due_at is not null;
