-- Indexes for the activity page: what it filters by is in them, so that a rare change is found without
-- reading the others. Assets are listed when a client sent them; what runs bring is listed by its run.

drop index revision_by_change;
create index revision_by_change on revision (organization_id, valid_from, kind, level, principal)
  where kind <> 'asset' or format = 'asset';

drop index revision_by_deletion;
create index revision_by_deletion on revision (organization_id, deleted_at, kind, deleted_by)
  where deleted_at is not null and (kind <> 'asset' or format = 'asset');
