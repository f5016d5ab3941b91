-- With the new password, the run finds the tables of two days.
alter table reference.operating_point add column is_border boolean not null default false;
comment on column reference.operating_point.is_border is 'True where trains are handed over between two infrastructure managers.';

-- The delays of the day before.
insert into train_movements.delays_daily (operating_day, train_number, operating_point, delay_minutes, is_interpolated)
values
  ('2026-11-07', '40016', 'DEMASCH', 0, false),
  ('2026-11-07', '41026', 'NLRTMEH', 14, false);
