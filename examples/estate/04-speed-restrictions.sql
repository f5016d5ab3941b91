-- The table gets the name by which everybody calls it, and a unit in its column.
alter table train_planning.restriction rename to speed_restriction;
alter table train_planning.speed_restriction rename column max_speed to max_speed_kmh;
comment on table train_planning.speed_restriction is 'Temporary speed restrictions, as announced by infrastructure managers.';
