-- Documents of notification channels, whose webhook addresses are secrets. `plain_record.document` keeps the document
-- with a masked address; this table has the whole document, sealed. Existing documents are sealed by the next start,
-- which has the encryption key.
create table plain_record_secret (
  organization_id uuid not null,
  kind text collate "C" not null,
  scope text collate "C" not null,
  external_id text collate "C" not null,
  sealed bytea not null,
  key_id text not null,
  primary key (organization_id, kind, scope, external_id),
  constraint plain_record_secret_record foreign key (organization_id, kind, scope, external_id)
    references plain_record (organization_id, kind, scope, external_id) on delete cascade
);
