-- Accounts are bound to the organizations that know them, and a lost password can be replaced.

-- Nobody proves that an address is theirs, so an address names no account by itself: several accounts
-- may have it, and the password selects one of them.
alter table user_account drop constraint user_account_email_key_key;
create index user_account_by_email on user_account (email_key);

-- Of two accounts with the same address and the same password, the one that was set last signs in.
alter table user_account add column password_changed_at timestamptz not null default clock_timestamp();
update user_account set password_changed_at = created_at;

-- Which organization removed the person last: if it invites them again, they get their account back.
-- An account keeps no reference to an organization that it is not in.
alter table user_account add column last_organization_id uuid;

-- One-time links that set a new password: only the hash of the secret, one for each account.
create table password_reset (
  user_id uuid primary key references user_account (id) on delete cascade,
  token_hash bytea not null unique,
  -- The owner who created the link, and where; both null = the operator.
  organization_id uuid,
  created_by uuid,
  created_at timestamptz not null,
  -- A link is void when its creator leaves the organization.
  constraint password_reset_creator foreign key (organization_id, created_by)
    references organization_member (organization_id, user_id) on delete cascade,
  constraint password_reset_by_owner_or_operator
    check ((organization_id is null) = (created_by is null))
);

create index password_reset_by_creator on password_reset (organization_id, created_by);
