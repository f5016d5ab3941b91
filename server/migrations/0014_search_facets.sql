-- Search counts and filters by the format and the classifications of documents. The index is built again
-- at the next start.
drop index search_document_by_facets;
alter table search_document drop column facets_key;
alter table search_document
  add column classifications text[] not null default '{}',
  add column facets_key bigint not null generated always as (
    hashtextextended(kind, hashtextextended(coalesce(status, ''), hashtextextended(coalesce(domain, ''),
      hashtextextended(coalesce(source, ''), hashtextextended(coalesce(type, ''),
        uuid_hash_extended(coalesce(owner_team_id, organization_id),
          uuid_hash_extended(coalesce(integration_id, organization_id),
            -- No tag and no classification is empty; the hash of an empty list would ignore its seed.
            hash_array_extended(array_append(tags, '') || classifications, 0))))))))
  ) stored;
create index search_document_by_facets on search_document (organization_id, facets_key);

-- Groups of words that an organization searches alike, beside those that the product knows.
alter table organization add column search_synonyms jsonb not null default '[]';
