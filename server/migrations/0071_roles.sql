-- The roles of members: those of documents, and those of groups of a directory or of a provider. They are read, never
-- copied, so that a change of a document, a group or the mapping counts at once. Suspended members have none. A role may
-- have several rows; `source` is manual, directory or provider, and group_name the group in the mapping. With a record of
-- the directory, the groups of a provider do not count. Neither do those of a provider that is disabled, or whose groups
-- are no longer read.

create index provider_identity_by_group on provider_identity using gin (group_keys);

-- The roles of members in teams, without inherited ones.
create view team_role as
-- Teams are found by the array, roles by the elements.
select member.organization_id, team.id as team_id, member.user_id, named.role,
  'manual' as source, null as group_name
from organization_member as member
join user_account as account on account.id = member.user_id
join team on team.organization_id = member.organization_id
  and team.member_emails @> array[account.email_key]
cross join lateral unnest(team.member_emails, team.member_roles) as named (email, role)
where member.suspended_at is null
  and named.email = account.email_key
union all
select member.organization_id, team.id, member.user_id, mapping.role, 'directory', mapping.group_name
from organization_member as member
join directory_group_member as in_group on in_group.organization_id = member.organization_id
  and in_group.user_id = member.user_id
join directory_group on directory_group.organization_id = in_group.organization_id
  and directory_group.id = in_group.group_id
join directory_mapping as mapping on mapping.organization_id = directory_group.organization_id
  and (
    mapping.group_key = directory_group.display_name_key
    or mapping.group_name = directory_group.external_id
  )
join team on team.organization_id = mapping.organization_id
  and team.external_id = mapping.team
where member.suspended_at is null
union all
-- The same condition twice: the first finds the mappings of a person, the second the people of a mapping.
select member.organization_id, team.id, member.user_id, mapping.role, 'provider', mapping.group_name
from organization_member as member
join provider_identity as identity on identity.organization_id = member.organization_id
  and identity.user_id = member.user_id
join identity_provider as provider on provider.organization_id = identity.organization_id
  and provider.id = identity.provider_id
  and provider.enabled
  and provider.groups_claim is not null
join directory_mapping as mapping on mapping.organization_id = identity.organization_id
  and mapping.group_key = any (identity.group_keys)
  and identity.group_keys @> array[mapping.group_key]
join team on team.organization_id = mapping.organization_id
  and team.external_id = mapping.team
where member.suspended_at is null
  and not exists (
    select
    from directory_user
    where directory_user.organization_id = member.organization_id
      and directory_user.user_id = member.user_id
  );

-- The roles of members in their organization. An owner is one by the manual role or by a group.
create view organization_role as
select organization_id, user_id, role, 'manual' as source, null as group_name
from organization_member
where suspended_at is null
union all
select member.organization_id, member.user_id, 'Owner', 'directory', mapping.group_name
from organization_member as member
join directory_group_member as in_group on in_group.organization_id = member.organization_id
  and in_group.user_id = member.user_id
join directory_group on directory_group.organization_id = in_group.organization_id
  and directory_group.id = in_group.group_id
join directory_mapping as mapping on mapping.organization_id = directory_group.organization_id
  and (
    mapping.group_key = directory_group.display_name_key
    or mapping.group_name = directory_group.external_id
  )
where member.suspended_at is null
  and mapping.kind = 'organizationOwner'
union all
select member.organization_id, member.user_id, 'Owner', 'provider', mapping.group_name
from organization_member as member
join provider_identity as identity on identity.organization_id = member.organization_id
  and identity.user_id = member.user_id
join identity_provider as provider on provider.organization_id = identity.organization_id
  and provider.id = identity.provider_id
  and provider.enabled
  and provider.groups_claim is not null
join directory_mapping as mapping on mapping.organization_id = identity.organization_id
  and mapping.group_key = any (identity.group_keys)
  and identity.group_keys @> array[mapping.group_key]
where member.suspended_at is null
  and mapping.kind = 'organizationOwner'
  and not exists (
    select
    from directory_user
    where directory_user.organization_id = member.organization_id
      and directory_user.user_id = member.user_id
  );

-- The groups of members that count: those of the directory, else those of the last sign-in.
create view member_group as
select member.organization_id, member.user_id, 'directory' as source, directory_group.display_name as name,
  directory_group.display_name_key as group_key, directory_group.external_id
from organization_member as member
join directory_group_member as in_group on in_group.organization_id = member.organization_id
  and in_group.user_id = member.user_id
join directory_group on directory_group.organization_id = in_group.organization_id
  and directory_group.id = in_group.group_id
where member.suspended_at is null
union all
select member.organization_id, member.user_id, 'provider', coalesce(listed.name, listed.group_key),
  listed.group_key, null
from organization_member as member
join provider_identity as identity on identity.organization_id = member.organization_id
  and identity.user_id = member.user_id
join identity_provider as provider on provider.organization_id = identity.organization_id
  and provider.id = identity.provider_id
  and provider.enabled
  and provider.groups_claim is not null
cross join lateral unnest(identity.groups, identity.group_keys) as listed (name, group_key)
where member.suspended_at is null
  and listed.group_key is not null
  and not exists (
    select
    from directory_user
    where directory_user.organization_id = member.organization_id
      and directory_user.user_id = member.user_id
  );
