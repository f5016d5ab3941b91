-- The load of the demo that has begun and not ended. A start that finds a row empties the store and loads it again.
create table demo_load (
  only_row boolean primary key default true check (only_row),
  begun_at timestamptz not null default clock_timestamp()
);
