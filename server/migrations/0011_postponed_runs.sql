-- A run whose source cannot be reached, or asks for a pause, goes back to the queue until not_before:
-- no worker waits for it. source_failures counts how often that has happened.
alter table ingestion_run
  add column not_before timestamptz,
  add column source_failures integer not null default 0;
