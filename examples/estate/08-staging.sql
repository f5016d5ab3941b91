-- Rebuilds the models of the wagon journeys and drops what is no longer read.
drop table dbt_staging.snapshot_wagon;
drop table raw_train_messages.dead_letter;

create view dbt_staging.stg_border_handovers as
select train_number, border_point, handed_over_at, waiting_minutes
from train_movements.border_handover;

create view dbt_staging.int_border_waiting as
select border_point, avg(waiting_minutes)::numeric(6, 1) as average_waiting_minutes
from dbt_staging.stg_border_handovers
group by border_point;
comment on view dbt_staging.int_border_waiting is 'How long trains wait at each border, on average.';

alter table train_planning.locomotive_rotation add column depot varchar(24);
comment on column train_planning.locomotive_rotation.depot is 'Where the locomotive is at home.';

alter table train_planning.engineering_work alter column ends_at set not null;
comment on table reference.calendar is 'Days and public holidays of each country, for five years ahead.';

-- The delays of the day before.
insert into train_movements.delays_daily (operating_day, train_number, operating_point, delay_minutes, is_interpolated)
values
  ('2026-11-08', '40017', 'DEMASCH', 0, false),
  ('2026-11-08', '41027', 'NLRTMEH', 17, false);
