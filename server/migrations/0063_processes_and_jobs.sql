-- The processes of the installation. Each writes its row every five seconds and deletes it when it stops, so a row with an
-- old beat is that of a process that was killed or cannot reach the database. No column that changes is in an index: each
-- beat is a heap-only update, for which pages keep space.
create table process (
  id uuid primary key,
  version text not null,
  -- The name of the newest migration that the process has.
  schema_version text not null,
  role text not null check (role in ('serving', 'working', 'both')),
  -- The name of its machine, container or pod.
  host text not null,
  -- paused = it writes nothing, because the database has the schema of another version.
  state text not null check (state in ('running', 'paused', 'stopping')),
  started_at timestamptz not null,
  beat_at timestamptz not null
) with (fillfactor = 50);

-- The jobs of the upkeep, each done by one process at a time, and the results of their last runs.
create table job (
  name text primary key,
  -- The process that does it; null, or a process without a recent beat = the next process takes it over.
  process_id uuid,
  -- Rises when a process takes it over.
  claim_count bigint not null default 0,
  created_at timestamptz not null,
  started_at timestamptz,
  succeeded_at timestamptz,
  failed_at timestamptz,
  failure_code text,
  -- The duration of the last run that ended.
  duration_ms integer
) with (fillfactor = 50);
