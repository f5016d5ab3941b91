-- Plain records: small documents without versions and events, of all kinds that are declared in formats/record. Connectors
-- write theirs after every event, so updates must be cheap: no index has a column that an update changes, and half of
-- each page is free for new versions of its rows, which PostgreSQL then reclaims without a vacuum (HOT).

create table plain_record (
  organization_id uuid not null,
  kind text not null collate "C",
  -- The external id of the team, for kinds whose ids are unique within a team; otherwise empty.
  scope text not null collate "C",
  external_id text not null collate "C",
  document text not null,
  digest text not null,
  -- The team that the record belongs to, or the data product; neither = the organization.
  team_id uuid,
  product_id text collate "C",
  -- The texts of the fields by which lists are filtered.
  filter_values jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (organization_id, kind, scope, external_id),
  constraint plain_record_team foreign key (organization_id, team_id)
    references team (organization_id, id) on delete cascade,
  constraint plain_record_product foreign key (organization_id, product_id)
    references data_product (organization_id, external_id) on delete cascade
) with (
  fillfactor = 50,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_scale_factor = 0.05,
  toast.autovacuum_vacuum_threshold = 500,
  toast.autovacuum_vacuum_scale_factor = 0.05
);

create index plain_record_by_team on plain_record (organization_id, team_id)
  where team_id is not null;
create index plain_record_by_product on plain_record (organization_id, product_id)
  where product_id is not null;
