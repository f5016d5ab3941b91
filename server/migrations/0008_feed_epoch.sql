-- Transaction ids order the feed only on the PostgreSQL cluster that gave them out. A dump that is restored
-- into another cluster brings higher ids than the ones that follow. So events are ordered by an epoch
-- first, which goes up when the store turns out to be on another cluster.

-- The current epoch, and the server that it holds for.
create table feed_epoch (
  only_row boolean primary key default true check (only_row),
  epoch integer not null,
  -- From pg_control_system(); null = it is not known, or this role may not call that function.
  system_identifier bigint,
  -- When the postmaster started: after every restart and on every other server it is another one.
  server_started_at timestamptz not null
);

-- Returns the current epoch to statements that insert events. On a server that the row does not describe it
-- raises an error of class 40, so that clients try again, until a process has examined the server.
create function current_feed_epoch() returns integer
language plpgsql stable as $$
declare
  current_epoch integer;
begin
  select epoch
  into current_epoch
  from feed_epoch
  where server_started_at = pg_postmaster_start_time();
  if current_epoch is null then
    raise exception 'the PostgreSQL server was restarted or replaced, and the feed is not adjusted to it yet'
      using errcode = '40F01';
  end if;
  return current_epoch;
end $$;

-- A constant default rewrites nothing. The new key is built while writers wait: some seconds for each million
-- events.
alter table event add column epoch integer not null default 0;
alter table event alter column epoch set default current_feed_epoch();
alter table event drop constraint event_pkey;
alter table event add constraint event_pkey
  primary key (organization_id, epoch, transaction_id, position);

-- A store that was moved to another cluster before has events that the feed has hidden since then.
insert into feed_epoch (epoch, server_started_at)
select
  case
    when exists (select from event where transaction_id >= pg_snapshot_xmax(pg_current_snapshot())) then 1
    else 0
  end,
  pg_postmaster_start_time();
