-- The works council agreed to less data: absences leave the table.
alter table crew_duties.duty drop column absence;
alter table crew_duties.duty alter column depot type varchar(24);
comment on column crew_duties.duty.depot is 'Where the duty begins: name of the depot.';
