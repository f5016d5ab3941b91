-- A transaction gets its id with its first write or row lock. One that then waited for others, and changes what they have
-- committed, has a smaller id than they: its events and entries came before those of the earlier change. Its rows now get
-- the id of the latest transaction that had ended when the statement began, if that is larger. Readers still see them
-- only after the transaction has ended: until then, no reader passes the smaller id.
create function current_feed_transaction() returns xid8
language sql volatile as $$
  select greatest(
    pg_current_xact_id(),
    (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8
  )
$$;

alter table event alter column transaction_id set default current_feed_transaction();
alter table activity_entry alter column transaction_id set default current_feed_transaction();
