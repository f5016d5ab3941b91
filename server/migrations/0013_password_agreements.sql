-- Keys of one name are told apart by the beginning of their secret; older keys have none.
alter table api_key add column secret_prefix text;

-- An owner's agreement that a member's password may be reset. A reset link needs the agreement of every
-- organization to which the person belongs.
create table password_reset_agreement (
  organization_id uuid not null,
  user_id uuid not null,
  agreed_by uuid not null,
  created_at timestamptz not null,
  primary key (organization_id, user_id),
  constraint password_reset_agreement_member foreign key (organization_id, user_id)
    references organization_member (organization_id, user_id) on delete cascade,
  -- An agreement is void when the owner leaves the organization.
  constraint password_reset_agreement_owner foreign key (organization_id, agreed_by)
    references organization_member (organization_id, user_id) on delete cascade
);

create index password_reset_agreement_by_owner
  on password_reset_agreement (organization_id, agreed_by);
create index password_reset_agreement_by_person on password_reset_agreement (user_id);
