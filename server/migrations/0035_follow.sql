-- Follows replace stars: a person can follow data products, data contracts, teams and searches. Members of the owning
-- team and consumers follow by default, which is computed and not stored; a row can mute a subject instead.
--
-- There is no reference to the subject: a follow outlives it until the followers are notified of the deletion. A
-- follow that is older than its subject belongs to a deleted one and does not count.

create table follow (
  organization_id uuid not null,
  kind text not null,
  -- The external id of the subject; of a search its canonical query.
  subject text not null collate "C",
  user_id uuid not null,
  is_muted boolean not null,
  followed_at timestamptz not null,
  primary key (organization_id, kind, subject, user_id),
  constraint follow_kind check (kind in ('data-product', 'data-contract', 'team', 'search')),
  constraint follow_member foreign key (organization_id, user_id)
    references organization_member (organization_id, user_id) on delete cascade
);

create index follow_by_user on follow (organization_id, user_id, followed_at);

insert into follow (organization_id, kind, subject, user_id, is_muted, followed_at)
select organization_id, 'data-product', data_product_id, user_id, false, starred_at
from data_product_star;

drop table data_product_star;
