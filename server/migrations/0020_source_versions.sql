-- Assets that a source reports as unchanged are not read again. An asset's version at its source applies only to the
-- asset with this digest, and only for some days.

create table asset_source_version (
  organization_id uuid not null,
  asset_id text not null collate "C",
  source_version text not null,
  digest text not null,
  -- Differs if the same source may be read to another asset.
  reading text not null,
  read_at timestamptz not null,
  primary key (organization_id, asset_id),
  constraint asset_source_version_asset foreign key (organization_id, asset_id)
    references asset (organization_id, external_id) on delete cascade
);

alter table staged_asset add column source_version text;
