-- Each kind of resource has permissions of its own. Stored team roles get those for which the former names stood, so that
-- nobody loses a right: whoever could edit resources also published test results, whoever could delete them also deleted
-- API keys of the team, and a role that had every permission still has every permission. The order of all members of the
-- documents and the text of their values stay.

with expansion (name, permissions) as (
  values
    ('RESOURCES_ADD', array[
      'DATAPRODUCT_ADD', 'DATACONTRACT_ADD', 'ASSET_ADD', 'DEFINITION_ADD', 'SOURCE_SYSTEM_ADD', 'MANAGED_TAG_ADD',
      'SEMANTIC_NAMESPACE_ADD'
    ]),
    ('RESOURCES_EDIT', array[
      'DATAPRODUCT_EDIT', 'DATACONTRACT_EDIT', 'ASSET_EDIT', 'DEFINITION_EDIT', 'SOURCE_SYSTEM_EDIT', 'MANAGED_TAG_EDIT',
      'SEMANTIC_NAMESPACE_EDIT', 'DATAPRODUCT_PUBLISH', 'DATAPRODUCT_GIT_CONNECT', 'DATACONTRACT_GIT_CONNECT',
      'DATACONTRACT_BRANCH_ADD', 'SEMANTIC_NAMESPACE_GIT_CONNECT', 'SEMANTIC_NAMESPACE_BRANCH_ADD',
      'DATAPRODUCT_TEST_RESULTS_EDIT', 'DATACONTRACT_TEST_RESULTS_EDIT'
    ]),
    ('RESOURCES_DELETE', array[
      'DATAPRODUCT_DELETE', 'DATACONTRACT_DELETE', 'ASSET_DELETE', 'DEFINITION_DELETE', 'SOURCE_SYSTEM_DELETE',
      'MANAGED_TAG_DELETE', 'SEMANTIC_NAMESPACE_DELETE', 'TEAM_API_KEY_MANAGE'
    ]),
    ('CHANGE_REQUEST_SUBMIT', array[
      'DATAPRODUCT_CHANGE_REQUEST_SUBMIT', 'DATACONTRACT_CHANGE_REQUEST_SUBMIT', 'ASSET_CHANGE_REQUEST_SUBMIT',
      'MANAGED_TAG_CHANGE_REQUEST_SUBMIT'
    ]),
    ('CHANGE_REQUEST_APPROVE', array[
      'DATAPRODUCT_CHANGE_REQUEST_APPROVE', 'DATACONTRACT_CHANGE_REQUEST_APPROVE', 'ASSET_CHANGE_REQUEST_APPROVE',
      'MANAGED_TAG_CHANGE_REQUEST_APPROVE'
    ]),
    -- Further permissions of a role with all 18 former ones.
    ('all', array['DATACONTRACT_TEST_RUN', 'POLICY_CHECK_RUN'])
)
update organization_document
set document = (
  select json_object_agg(
    member.key,
    case
      when member.key = 'team-roles' and json_typeof(member.value) = 'array' then (
        select coalesce(
          json_agg((
            select json_object_agg(
              field.key,
              case
                when field.key = 'permissions' and json_typeof(field.value) = 'array' then (
                  select coalesce(json_agg(permission order by rank), '[]')
                  from (
                    select permission, min(rank) as rank
                    from (
                      select granted.name, granted.rank
                      from json_array_elements_text(field.value) with ordinality as granted (name, rank)
                      union all
                      select 'all', 100
                      where json_array_length(field.value) = 18
                    ) as former
                    left join expansion on expansion.name = former.name
                    cross join lateral unnest(coalesce(expansion.permissions, array[former.name]))
                      with ordinality as current (permission, place)
                    group by permission
                  ) as expanded
                )
                else field.value
              end
              order by field.rank
            )
            from json_each(role.value) with ordinality as field (key, value, rank)
          ) order by role.rank),
          '[]'
        )
        from json_array_elements(member.value) with ordinality as role (value, rank)
      )
      else member.value
    end
    order by member.rank
  )::text
  from json_each(organization_document.document::json) with ordinality as member (key, value, rank)
)
where kind = 'team-roles'
  and document::json ->> 'mode' = 'custom-team-roles';
