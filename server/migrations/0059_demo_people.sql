-- The people of the demo who can sign in, as its load created them. The sign-in page of a process that serves the demo
-- lists those who are still members with this address.
create table demo_person (
  organization_id uuid not null,
  user_id uuid not null,
  position integer not null,
  email text not null,
  role text not null,
  primary key (organization_id, user_id),
  constraint demo_person_member foreign key (organization_id, user_id)
    references organization_member (organization_id, user_id) on delete cascade
);
