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
