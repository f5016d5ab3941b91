-- Wagon Fleet keeps brake tests and noise classes.
alter table wagon_register.wagon add column noise_class char(1);
comment on column wagon_register.wagon.noise_class is 'Q = quiet by TSI Noise, L = loud.';

create table wagon_register.brake_test (
  test_id bigint generated always as identity primary key,
  wagon_number char(12) not null references wagon_register.wagon,
  tested_at timestamptz not null,
  kind varchar(16) not null,
  passed boolean not null
);
comment on table wagon_register.brake_test is 'Brake tests before departure.';

alter table train_movements.delays_daily alter column reason_code type varchar(4);
comment on column train_movements.delays_daily.reason_code is 'The code of UIC 450-2 with the largest share of the delay. Empty below five minutes.';

create table train_movements.reason_correction (
  operating_day date not null,
  train_number varchar(6) not null,
  corrected_at timestamptz not null,
  reason_code varchar(4) not null references reference.delay_cause,
  corrected_by char(16),
  primary key (operating_day, train_number, corrected_at)
);
comment on table train_movements.reason_correction is 'Reasons of delays that were corrected after the day.';
drop view dbt_staging.int_border_waiting;
alter table reference.delay_cause add column valid_to date;

alter table customer_portal.account add column last_seen_at timestamptz;

-- The delays of the day before.
insert into train_movements.delays_daily (operating_day, train_number, operating_point, delay_minutes, is_interpolated)
values
  ('2026-11-09', '40018', 'DEMASCH', 0, false),
  ('2026-11-09', '41028', 'NLRTMEH', 20, false);
