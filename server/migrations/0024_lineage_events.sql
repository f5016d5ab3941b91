-- Events of OpenLineage, as their producers sent them. They are kept for 90 days. The key begins with the time of
-- arrival, so that inserts append to it and expired events are at its beginning.

create table lineage_event (
  organization_id uuid not null,
  received_at timestamptz not null,
  id uuid not null,
  document text not null,
  kind text not null,
  event_type text,
  event_at timestamptz,
  run_id text,
  job_namespace text,
  job_name text,
  product_id text collate "C",
  output_port text,
  input_assets text[] not null,
  output_assets text[] not null,
  principal text not null,
  primary key (organization_id, received_at, id),
  constraint lineage_event_kind check (kind in ('run', 'job', 'dataset'))
);

-- An entry of an index must not exceed some 2,700 bytes, but the names of jobs may.
create index lineage_event_by_run on lineage_event (organization_id, left(run_id, 100), received_at)
  where run_id is not null;
create index lineage_event_by_job on lineage_event (organization_id, left(job_name, 200), received_at)
  where job_name is not null;
create index lineage_event_by_product on lineage_event (organization_id, product_id, received_at)
  where product_id is not null;
