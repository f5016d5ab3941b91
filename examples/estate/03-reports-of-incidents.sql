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
