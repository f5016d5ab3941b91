-- The daily e-mail of a person. The row also decides that there is one at most for each day, whichever process sends it.
create table mail_digest (
  organization_id uuid not null,
  user_id uuid not null,
  -- The hour of the day, in UTC.
  hour smallint not null default 7,
  -- The day, in UTC, of the last one; null = none yet.
  last_day date,
  primary key (organization_id, user_id),
  constraint mail_digest_hour check (hour between 0 and 23),
  constraint mail_digest_member foreign key (organization_id, user_id)
    references organization_member (organization_id, user_id) on delete cascade
);
