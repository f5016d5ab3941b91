-- The planning office adds the works on the tracks.
create table train_planning.engineering_work (
  work_id varchar(16) primary key,
  infrastructure_manager varchar(16) not null references reference.infrastructure_manager,
  from_point varchar(10) not null references reference.operating_point,
  to_point varchar(10) not null references reference.operating_point,
  begins_at timestamptz not null,
  ends_at timestamptz,
  closes_line boolean not null default false
);
comment on table train_planning.engineering_work is 'Works on the tracks that infrastructure managers have announced.';
comment on column train_planning.engineering_work.closes_line is 'True when no train can pass.';

comment on column raw_train_messages.running_message.sender is 'Company code of the infrastructure manager.';

-- The delays of the day before.
insert into train_movements.delays_daily (operating_day, train_number, operating_point, delay_minutes, is_interpolated)
values
  ('2026-11-02', '40011', 'DEMASCH', 0, false),
  ('2026-11-02', '41021', 'NLRTMEH', -1, false);

insert into driver_hours.driver_day (person_key, day, driving_hours, duty_hours)
values ('a1f0c7d2e94b6530', '2026-11-02', 6.10, 8.50);
