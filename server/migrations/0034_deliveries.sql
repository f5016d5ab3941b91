-- Deliveries to receivers outside of Portbook, such as webhooks: a queue and a ledger in one.

-- A message to one receiver.
create table delivery (
  organization_id uuid not null,
  id uuid not null,
  -- The order of deliveries: that in which they were inserted.
  sequence bigint generated always as identity,
  -- How it is sent: webhook, email, slack, teams, googlechat.
  channel text not null,
  -- The receiver within the channel, such as the id of an endpoint.
  target text not null collate "C",
  -- Deliveries about one subject to one receiver are sent one after the other, in their order.
  subject text not null collate "C",
  -- What it is about, such as the type of an event; the ledger shows it.
  topic text not null,
  -- The event of the feed that caused it; null = none.
  event_id uuid,
  payload text not null,
  state text not null default 'pending',
  attempt_count integer not null default 0,
  -- The attempts before it was replayed, after which delays begin again.
  earlier_attempt_count integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  -- The beginning of the time in which it is attempted; later than created_at if it was replayed.
  queued_at timestamptz not null default clock_timestamp(),
  -- When it is attempted again after a failure; null = it waits for nothing but its turn, or has ended.
  next_attempt_at timestamptz,
  ended_at timestamptz,
  primary key (organization_id, id),
  constraint delivery_state check (state in ('pending', 'delivered', 'failed', 'canceled')),
  constraint delivery_payload check (octet_length(payload) <= 262144),
  constraint delivery_ended check ((state = 'pending') = (ended_at is null))
);

-- The queue of each lane.
create index delivery_pending on delivery (organization_id, channel, target, subject, sequence)
  where state = 'pending';
-- The ledger of a receiver. What was not delivered is usually rare, and would be searched for among the rest.
create index delivery_by_target on delivery (organization_id, channel, target, sequence);
create index delivery_undelivered on delivery (organization_id, channel, target, state, sequence)
  where state in ('failed', 'canceled');
-- For deleting what is old.
create index delivery_by_end on delivery (ended_at) where ended_at is not null;

-- Every attempt to send a delivery.
create table delivery_attempt (
  organization_id uuid not null,
  delivery_id uuid not null,
  attempt integer not null,
  attempted_at timestamptz not null,
  duration_ms integer not null,
  -- The answer of the receiver, such as an HTTP status; null = there was none.
  status integer,
  -- Why it failed; null = it did not.
  error text,
  -- The beginning of the answer; null = it was empty.
  response text,
  primary key (organization_id, delivery_id, attempt),
  constraint delivery_attempt_delivery foreign key (organization_id, delivery_id)
    references delivery (organization_id, id) on delete cascade,
  constraint delivery_attempt_response check (octet_length(response) <= 1024)
);

-- The subjects of each receiver that have pending deliveries. A lane is what a worker claims: the deliveries in it keep
-- their order because one worker at a time has it.
create table delivery_lane (
  organization_id uuid not null,
  channel text not null,
  target text not null collate "C",
  subject text not null collate "C",
  -- When it may be claimed: at once, after a delay, or when the lease of its worker has ended.
  due_at timestamptz not null,
  -- The claim of the worker that has it; null = none, unless a lease has ended.
  claim uuid,
  primary key (organization_id, channel, target, subject)
);

create index delivery_lane_by_due on delivery_lane (organization_id, channel, target, due_at);

-- An address to which events are sent.
create table webhook_endpoint (
  organization_id uuid not null references organization (id),
  id uuid not null,
  name text not null,
  url text not null,
  -- The team that manages it, whose events it gets; null = it belongs to the organization.
  team_id uuid,
  -- The external id of the team whose events an endpoint of the organization gets; null = of all.
  filter_team text collate "C",
  -- Names of events without the prefix of the installation; empty = all.
  event_types text[] not null,
  enabled boolean not null,
  -- When and why it was disabled by Portbook; null = it was not.
  disabled_at timestamptz,
  disabled_because text,
  -- The first of the failures since the last success; null = the last attempt succeeded.
  failing_since timestamptz,
  version integer not null,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (organization_id, id),
  constraint webhook_endpoint_team foreign key (organization_id, team_id)
    references team (organization_id, id) on delete cascade
);

create index webhook_endpoint_by_team on webhook_endpoint (organization_id, team_id);

-- The secrets that sign payloads, sealed with the row's identity. After a change, both sign for a day.
create table webhook_secret (
  organization_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null,
  sealed bytea not null,
  -- The encryption key that it was sealed with.
  key_id text not null,
  created_at timestamptz not null,
  -- null = it is the current one.
  expires_at timestamptz,
  primary key (organization_id, endpoint_id, id),
  constraint webhook_secret_endpoint foreign key (organization_id, endpoint_id)
    references webhook_endpoint (organization_id, id) on delete cascade
);
