-- The number of readers of a data product or a data contract: the consumers of active agreements and of 90 days of usage.
-- It is counted in the background, and the statements that write entries keep it.
alter table search_document add column readers integer not null default 0;
-- The output ports of a data product that have a contract, each with one of the names by which agreements and usage refer
-- to it: {"contract": …, "port": …}. The index is built again at the next start.
alter table search_document add column port_contracts jsonb not null default '[]';

-- Most documents have no readers, and they are sorted by name.
create index search_document_by_readers on search_document (organization_id, readers desc, name_key, external_id)
  where readers > 0;
create index search_document_by_change on search_document (organization_id, kind, updated_at desc, name_key, external_id);

-- The progress of counting the readers of all documents: the last document, and when the pass began.
create table search_reader_pass (
  only_row boolean primary key default true check (only_row),
  organization_id uuid,
  kind text,
  external_id text collate "C",
  started_at timestamptz not null,
  -- Null = the pass is under way.
  finished_at timestamptz
);
