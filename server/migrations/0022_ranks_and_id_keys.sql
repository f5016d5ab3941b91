-- What only some kinds of records have: a rank by which lists are sorted, and ids that do not differ only in their
-- letter case.
alter table catalog_record
  add column rank text,
  add column id_key text;

create unique index catalog_record_by_id_key on catalog_record (organization_id, kind, id_key)
  where id_key is not null;
