-- The table and a column get their common names, with a unit.
alter table train_planning.restriction rename to speed_restriction;
alter table train_planning.speed_restriction rename column max_speed to max_speed_kmh;
comment on table train_planning.speed_restriction is 'Temporary speed restrictions, as announced by infrastructure managers.';
