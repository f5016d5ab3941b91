-- With the new password, the run finds the tables of two days.
alter table reference.operating_point add column is_border boolean not null default false;
comment on column reference.operating_point.is_border is 'True where trains are handed over between two infrastructure managers.';
