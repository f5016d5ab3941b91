-- The password of the reader was changed on this day, and the run could not sign in.
create table train_movements.border_handover (
  train_number varchar(10) not null,
  handed_over_at timestamptz not null,
  border_point varchar(10) not null references reference.operating_point,
  from_manager varchar(16) references reference.infrastructure_manager,
  to_manager varchar(16) references reference.infrastructure_manager,
  waiting_minutes smallint,
  primary key (train_number, handed_over_at)
);
comment on table train_movements.border_handover is 'Trains that one infrastructure manager handed over to the next.';

-- The delays of the day before.
insert into train_movements.delays_daily (operating_day, train_number, operating_point, delay_minutes, is_interpolated)
values
  ('2026-11-06', '40015', 'DEMASCH', 0, false),
  ('2026-11-06', '41025', 'NLRTMEH', 11, false);
