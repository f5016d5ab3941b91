-- The teams that own what an event is about, by external id, of access agreements and test results: their row, which names
-- the teams, may be gone when webhooks look for the receivers. Null = documents, whose versions name their owner, and
-- events of earlier versions.
alter table event add column owners text[] collate "C";
