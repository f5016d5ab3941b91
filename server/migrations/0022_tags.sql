-- Columns of some kinds of records: the rank by which lists are sorted, and the key of ids that must differ in more than
-- letter case.
alter table catalog_record
  add column rank text,
  add column id_key text;

create unique index catalog_record_by_id_key on catalog_record (organization_id, kind, id_key)
  where id_key is not null;

-- The tags that people and clients have assigned to assets. They follow a tag that is renamed, and end with it.
create table asset_tag (
  organization_id uuid not null,
  asset_id text not null collate "C",
  tag_kind text not null default 'tag' constraint asset_tag_kind check (tag_kind = 'tag'),
  tag_id text not null collate "C",
  assigned_at timestamptz not null,
  assigned_by text not null,
  primary key (organization_id, asset_id, tag_id),
  constraint asset_tag_asset foreign key (organization_id, asset_id)
    references asset (organization_id, external_id) on delete cascade,
  constraint asset_tag_tag foreign key (organization_id, tag_kind, tag_id)
    references catalog_record (organization_id, kind, external_id) on update cascade on delete cascade
);

create index asset_tag_by_tag on asset_tag (organization_id, tag_kind, tag_id);
