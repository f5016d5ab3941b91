-- Some kinds of records have no owner: then only organization owners may change them.
alter table catalog_record
  alter column owner_team_id drop not null;
