-- Sessions, integrations with their sealed credentials, ingestion runs, assets and what people add
-- to them.

-- A person who is signed in, in a browser: only the hash of what the cookie holds.
create table session (
  token_hash bytea primary key,
  user_id uuid not null references user_account (id) on delete cascade,
  created_at timestamptz not null,
  last_used_at timestamptz not null
);

create index session_by_user on session (user_id);

create table integration (
  organization_id uuid not null references organization (id),
  id uuid not null,
  external_id text collate "C" not null,
  name text not null,
  -- The source platform, which names the connector.
  source text not null,
  owner_team_id uuid,
  -- What the connector needs besides secrets, by its own field names, and its filters.
  configuration jsonb not null,
  -- A cron expression of 5 fields, or of 6 with seconds first; null = only by hand.
  schedule_expression text,
  schedule_time_zone text not null,
  enabled boolean not null,
  -- When the schedule fires next; null = it has none, or it is off.
  next_due_at timestamptz,
  -- Runs in a row that the source did not let in; the schedule pauses when they are too many.
  authentication_failure_count integer not null default 0,
  -- Why the schedule pauses; null = it does not.
  paused_because text,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (organization_id, id),
  constraint integration_external_id unique (organization_id, external_id),
  constraint integration_owner foreign key (organization_id, owner_team_id)
    references team (organization_id, id)
);

create index integration_by_owner on integration (organization_id, owner_team_id);
create index integration_by_due on integration (next_due_at) where next_due_at is not null;

-- Secrets of integrations, sealed with the row's identity. No list and no get joins this table.
create table credential (
  organization_id uuid not null,
  integration_id uuid not null,
  -- The name of the connector's field.
  field text not null,
  sealed bytea not null,
  -- The encryption key that it was sealed with.
  key_id text not null,
  set_at timestamptz not null,
  primary key (organization_id, integration_id, field),
  constraint credential_integration foreign key (organization_id, integration_id)
    references integration (organization_id, id) on delete cascade
);

-- A run is at once what the API shows and its own place in the queue.
create table ingestion_run (
  organization_id uuid not null,
  id uuid not null,
  integration_id uuid not null,
  -- ingest, preview (stops before it publishes), undo, confirm (of deletes that were held).
  kind text not null,
  status text not null,
  -- Of one that is RUNNING: waiting, checking, listing, publishing; of one that ended, where it was.
  phase text not null,
  message text,
  principal text not null,
  -- A person said that an empty source is right.
  forced boolean not null,
  assets_processed integer not null default 0,
  assets_created integer not null default 0,
  assets_updated integer not null default 0,
  assets_deleted integer not null default 0,
  -- Deletes that wait for a person, and whether one decided: pending, confirmed, rejected, superseded.
  held_count integer not null default 0,
  held_state text,
  -- An undo: the run that it took back.
  subject_run_id uuid,
  started_at timestamptz not null,
  completed_at timestamptz,
  -- How often it was claimed. The fence rises with every claim: a worker whose fence is not the
  -- row's has lost the run and changes nothing.
  attempt integer not null default 0,
  fence bigint not null default 0,
  -- The lease ends when no beat renews it; null = nobody has it.
  lease_until timestamptz,
  progressed_at timestamptz not null,
  cancel_requested_at timestamptz,
  primary key (organization_id, id),
  constraint ingestion_run_integration foreign key (organization_id, integration_id)
    references integration (organization_id, id) on delete cascade,
  constraint ingestion_run_kind check (kind in ('ingest', 'preview', 'undo', 'confirm')),
  constraint ingestion_run_status check (status in ('RUNNING', 'SUCCESS', 'FAILED', 'CANCELLED')),
  constraint ingestion_run_phase check (phase in ('waiting', 'checking', 'listing', 'publishing')),
  constraint ingestion_run_end check ((status = 'RUNNING') = (completed_at is null)),
  constraint ingestion_run_held check (held_state in ('pending', 'confirmed', 'rejected', 'superseded'))
);

-- One run at a time, whoever starts it.
create unique index ingestion_run_running on ingestion_run (organization_id, integration_id)
  where status = 'RUNNING';
create index ingestion_run_by_start on ingestion_run (organization_id, integration_id, started_at desc, id desc);
-- What a worker looks for.
create index ingestion_run_to_claim on ingestion_run (lease_until nulls first, started_at)
  where status = 'RUNNING';

-- What a run came to know of each scope, a database or schema: the proof that deletes need.
create table ingestion_scope (
  organization_id uuid not null,
  run_id uuid not null,
  -- The native path as a JSON list: ["sales","public"].
  scope text collate "C" not null,
  kind text not null,
  -- pending, complete, denied, failed, skipped (by a filter).
  state text not null,
  object_count integer not null default 0,
  message text,
  primary key (organization_id, run_id, scope),
  constraint ingestion_scope_run foreign key (organization_id, run_id)
    references ingestion_run (organization_id, id) on delete cascade,
  constraint ingestion_scope_state check (state in ('pending', 'complete', 'denied', 'failed', 'skipped'))
);

-- Scopes that a complete listing no longer showed: their assets are kept for a time of grace.
create table missing_scope (
  organization_id uuid not null,
  integration_id uuid not null,
  scope text collate "C" not null,
  missing_since timestamptz not null,
  primary key (organization_id, integration_id, scope),
  constraint missing_scope_integration foreign key (organization_id, integration_id)
    references integration (organization_id, id) on delete cascade
);

create table ingestion_log_line (
  organization_id uuid not null,
  run_id uuid not null,
  line integer not null generated always as identity,
  at timestamptz not null,
  level text not null,
  text text not null,
  primary key (organization_id, run_id, line),
  constraint ingestion_log_line_run foreign key (organization_id, run_id)
    references ingestion_run (organization_id, id) on delete cascade
);

-- What a run has seen, until it publishes. Its rows are nothing that a crash could lose: the next
-- attempt sees them anew. Those of another fence are nobody's.
create unlogged table staged_asset (
  organization_id uuid not null,
  run_id uuid not null,
  fence bigint not null,
  -- The id that its path gives it, and its parent's.
  id text collate "C" not null,
  parent_id text collate "C",
  path text collate "C" not null,
  scope text collate "C" not null,
  kind text not null,
  source_id text collate "C",
  digest text not null,
  -- Without id and parent, which are known only when all was seen; null when the catalog has it just
  -- so already.
  document text,
  name text not null,
  type text not null,
  words text[],
  row_count bigint,
  size_bytes bigint,
  changed_at timestamptz,
  -- The asset that it is, when that has another id: it was renamed, or its id is taken.
  asset_id text collate "C",
  primary key (organization_id, run_id, fence, path)
);

-- A table, view, topic or container of a source platform: ingested by an integration, or PUT.
create table asset (
  organization_id uuid not null references organization (id),
  external_id text collate "C" not null,
  -- Whose it is; null = it was PUT.
  integration_id uuid,
  -- Of an ingested one: the native path and the scope as JSON lists, and the platform's own id.
  path text collate "C",
  scope text collate "C",
  kind text,
  source_id text collate "C",
  -- The text that was PUT; of an ingested one what the source says, without what people added.
  document text not null,
  media_type text not null,
  document_json text,
  version integer not null,
  digest text not null,
  name text not null,
  type text not null,
  source text,
  -- The owner that the document names, as it stands there.
  owner text collate "C",
  parent_id text collate "C",
  search tsvector not null,
  -- The run that last changed it.
  run_id uuid,
  -- Gone from its source: hidden, kept for a time of grace.
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (organization_id, external_id),
  -- Deferrable: tables may exchange their names, and one publication sees both.
  constraint asset_path unique (organization_id, integration_id, path) deferrable initially immediate,
  constraint asset_integration foreign key (organization_id, integration_id)
    references integration (organization_id, id)
);

create index asset_by_creation on asset (organization_id, created_at, external_id);
-- Only of those that have one: for all others they would be one more index to write, and to choose
-- by mistake.
create index asset_by_parent on asset (organization_id, parent_id) where parent_id is not null;
create index asset_by_source_id on asset (organization_id, integration_id, source_id)
  where source_id is not null;
create index asset_by_owner on asset (organization_id, owner) where owner is not null;
create index asset_search on asset using gin (search);

-- What people add to an ingested asset. It wins over what the source says, and no run touches it.
create table asset_annotation (
  organization_id uuid not null,
  asset_id text collate "C" not null,
  description text,
  owner_team_id uuid,
  tags text[],
  version integer not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (organization_id, asset_id),
  constraint asset_annotation_asset foreign key (organization_id, asset_id)
    references asset (organization_id, external_id) on delete cascade,
  constraint asset_annotation_owner foreign key (organization_id, owner_team_id)
    references team (organization_id, id)
);

create index asset_annotation_by_owner on asset_annotation (organization_id, owner_team_id);

-- What changes with every run and means no change of the asset.
create table asset_statistic (
  organization_id uuid not null,
  asset_id text collate "C" not null,
  row_count bigint,
  size_bytes bigint,
  changed_at timestamptz,
  measured_at timestamptz not null,
  primary key (organization_id, asset_id),
  constraint asset_statistic_asset foreign key (organization_id, asset_id)
    references asset (organization_id, external_id) on delete cascade
);

-- The change set of a run: what it published, or a preview would, and the deletes that it held. The
-- documents before and after are the revisions of these versions.
create table asset_change (
  organization_id uuid not null,
  run_id uuid not null,
  asset_id text collate "C" not null,
  action text not null,
  -- Why it waits for a person: brake, filter; null = it was published.
  held_because text,
  -- Null = there was none, there is none.
  version_before integer,
  version_after integer,
  scope_before text collate "C",
  path_before text collate "C",
  path_after text collate "C",
  primary key (organization_id, run_id, asset_id),
  constraint asset_change_run foreign key (organization_id, run_id)
    references ingestion_run (organization_id, id) on delete cascade,
  constraint asset_change_action check (action in ('created', 'updated', 'deleted', 'revived'))
);
