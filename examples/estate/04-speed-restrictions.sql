-- The table and a column get their common names, with a unit.
alter table train_planning.restriction rename to speed_restriction;
alter table train_planning.speed_restriction rename column max_speed to max_speed_kmh;
comment on table train_planning.speed_restriction is 'Temporary speed restrictions, as announced by infrastructure managers.';

-- The delays of the day before.
insert into train_movements.delays_daily (operating_day, train_number, operating_point, delay_minutes, is_interpolated)
values
  ('2026-11-04', '40013', 'DEMASCH', 0, false),
  ('2026-11-04', '41023', 'NLRTMEH', 5, false);

insert into driver_hours.driver_day (person_key, day, driving_hours, duty_hours)
values ('a1f0c7d2e94b6530', '2026-11-04', 6.30, 8.50);
