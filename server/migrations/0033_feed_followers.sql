-- Followers inside of Portbook: parts of the program that handle each event of the feed once, in its order.

-- Where a follower began: after everything that happened before it was added. Organizations that are created later
-- begin there too, so that no event of theirs is skipped.
create table feed_follower (
  name text primary key,
  epoch integer not null,
  transaction_id xid8 not null,
  began_at timestamptz not null default clock_timestamp()
);

-- The last event that a follower has handled in an organization. The row is locked while events are handled, so that
-- two processes never handle the same ones.
create table feed_cursor (
  organization_id uuid not null,
  follower text not null,
  epoch integer not null,
  transaction_id xid8 not null,
  position bigint not null,
  primary key (organization_id, follower),
  constraint feed_cursor_follower foreign key (follower) references feed_follower (name) on delete cascade
);
