-- Records: the documents of all kinds that are declared in formats/record. They have the columns of the other tables
-- of documents, so that a further kind needs no migration.

create table catalog_record (
  organization_id uuid not null,
  kind text not null,
  external_id text not null collate "C",
  document text not null,
  media_type text not null,
  document_json text,
  format text not null,
  version integer not null,
  digest text not null,
  name text not null,
  description text,
  owner_team_id uuid not null,
  status text,
  domain text,
  tags text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (organization_id, kind, external_id),
  constraint catalog_record_owner foreign key (organization_id, owner_team_id)
    references team (organization_id, id)
);

create index catalog_record_by_creation on catalog_record (organization_id, kind, created_at, external_id);
create index catalog_record_by_owner on catalog_record (organization_id, owner_team_id);
