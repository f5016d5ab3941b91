-- The works council agreed to less data: absences leave the table.
alter table crew_duties.duty drop column absence;
alter table crew_duties.duty alter column depot type varchar(24);
comment on column crew_duties.duty.depot is 'Where the duty begins: name of the depot.';

-- The delays of the day before.
insert into train_movements.delays_daily (operating_day, train_number, operating_point, delay_minutes, is_interpolated)
values
  ('2026-11-05', '40014', 'DEMASCH', 0, false),
  ('2026-11-05', '41024', 'NLRTMEH', 8, false);

insert into driver_hours.driver_day (person_key, day, driving_hours, duty_hours)
values ('a1f0c7d2e94b6530', '2026-11-05', 6.40, 8.50);
