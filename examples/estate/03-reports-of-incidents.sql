-- Crew and Safety records who reported an incident, under a pseudonym.
alter table safety.incident add column reported_by char(16);
alter table safety.incident add column reporter_role varchar(16);
comment on column safety.incident.reported_by is 'Pseudonym of the person who reported it.';
comment on column safety.incident.reporter_role is 'What the person did in that duty.';

create view safety.open_incident as
select incident_id, occurred_on, kind, severity
from safety.incident
where closed_on is null;
comment on view safety.open_incident is 'Incidents whose investigation is not closed.';

-- The delays of the day before.
insert into train_movements.delays_daily (operating_day, train_number, operating_point, delay_minutes, is_interpolated)
values
  ('2026-11-03', '40012', 'DEMASCH', 0, false),
  ('2026-11-03', '41022', 'NLRTMEH', 2, false);

insert into driver_hours.driver_day (person_key, day, driving_hours, duty_hours)
values ('a1f0c7d2e94b6530', '2026-11-03', 6.20, 8.50);
