-- The ledger of a run also lists scopes that the source no longer lists and that are kept for now.
alter table ingestion_scope drop constraint ingestion_scope_state;
alter table ingestion_scope add constraint ingestion_scope_state
  check (state in ('pending', 'complete', 'denied', 'failed', 'skipped', 'missing'));
