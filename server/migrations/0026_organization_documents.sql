-- The address of an organization, which clients put into links: <host>/<vanity_url>/dataproducts/<id>. It stays the
-- same when the organization is renamed.
alter table organization
  add column vanity_url text collate "C" not null default gen_random_uuid()::text;

with named as (
  select
    id,
    trim(both '-' from left(
      regexp_replace(
        lower(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g')),
        '[^a-z0-9]+', '-', 'g'
      ),
      60
    )) as slug
  from organization
),
numbered as (
  select id, slug, row_number() over (partition by slug order by id) as number
  from named
)
update organization
set vanity_url = case
    when numbered.number = 1 and numbered.slug not in (
      '', 'api', 'assets', 'guides', 'healthz', 'metrics', 'openapi.json', 'readyz', 'ui', 'activity',
      'api-keys', 'certifications', 'classification-schemes', 'connectors', 'data-contracts',
      'data-products', 'definitions', 'domains', 'integrations', 'invitation', 'policies', 'reference',
      'reset-password', 'search', 'set-up', 'settings', 'sign-in', 'source-systems', 'tags', 'teams',
      'test-results', 'datacontracts', 'dataproducts', 'sourcesystems'
    ) then numbered.slug
    else coalesce(nullif(numbered.slug, ''), 'organization') || '-' || right(organization.id::text, 12)
  end
from numbered
where numbered.id = organization.id;

alter table organization add constraint organization_vanity_url unique (vanity_url);

-- Settings of an organization that clients write as one document each.
create table organization_document (
  organization_id uuid not null references organization (id),
  kind text not null,
  document text not null,
  media_type text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (organization_id, kind)
);
