-- Indexes for the questions that only pages ask.

-- What changed this week: assets, which change by the thousand in a run, are told by their runs.
create index revision_by_change on revision (organization_id, valid_from)
  where kind <> 'asset';
create index revision_by_deletion on revision (organization_id, deleted_at)
  where deleted_at is not null and kind <> 'asset';
create index ingestion_run_by_change on ingestion_run (organization_id, completed_at)
  where status = 'SUCCESS'
    and kind <> 'preview'
    and assets_created + assets_updated + assets_deleted > 0;

-- What waits for a person.
create index ingestion_run_held on ingestion_run (organization_id, integration_id)
  where held_state = 'pending';
create index data_product_left_to_move on data_product (organization_id, owner_team_id)
  where format = 'dps';
create index data_contract_left_to_move on data_contract (organization_id, owner_team_id)
  where format = 'dcs';

-- How many assets there are: a few bytes for each, which is read faster than the assets.
create index asset_live on asset (organization_id, integration_id)
  where deleted_at is null;

-- The tree of assets, a level at a time, in the order in which it is shown.
drop index asset_by_parent;
-- Of a name as much as fits into an index beside two ids.
create index asset_by_parent on asset (organization_id, parent_id, left(name, 100) collate "C", external_id)
  where parent_id is not null;
create index asset_at_top on asset (organization_id, integration_id, left(name, 100) collate "C", external_id)
  where parent_id is null;
