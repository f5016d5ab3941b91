-- One index for everything that is searched: a row for each product, contract, team and live asset.

create table search_document (
  organization_id uuid not null references organization (id),
  kind text not null,
  external_id text collate "C" not null,
  name text not null,
  -- Name and id folded, without what separates their words.
  name_key text collate "C" not null,
  id_key text collate "C" not null,
  -- What comes first on equal footing: what is live before what is not, products before assets.
  standing smallint not null,
  -- Null = nobody, or of an ingested asset the owner of its integration.
  owner_team_id uuid,
  integration_id uuid,
  status text,
  domain text,
  tags text[] not null,
  source text,
  type text,
  description text,
  -- A line each: the paths of columns, the names of ports.
  columns text not null,
  ports text not null,
  -- Each word after a letter that says where it stands.
  words tsvector not null,
  updated_at timestamptz not null,
  -- The same for all rows that no facet tells apart. It is only ever compared with itself, and rows
  -- that differ in it may still be alike.
  facets_key bigint not null generated always as (
    hashtextextended(
      kind,
      hashtextextended(
        coalesce(status, E'\x01'),
        hashtextextended(
          coalesce(domain, E'\x01'),
          hashtextextended(
            coalesce(source, E'\x01'),
            uuid_hash_extended(
              coalesce(owner_team_id, organization_id),
              uuid_hash_extended(
                coalesce(integration_id, organization_id),
                -- The hash of no tags at all does not depend on a seed, so it is the innermost.
                hash_array_extended(tags, 0)
              )
            )
          )
        )
      )
    )
  ) stored,
  primary key (organization_id, kind, external_id)
);

-- Assets are the mass: what is asked of all else, and that is asked with every search, reads a small
-- index. A short list of what is not sorted in yet, because every search reads all of it.
create index search_document_words on search_document using gin (words)
  with (gin_pending_list_limit = 256)
  where kind <> 'asset';
create index search_document_asset_words on search_document using gin (words)
  with (gin_pending_list_limit = 256)
  where kind = 'asset';
create index search_document_by_standing
  on search_document (organization_id, standing, name_key, external_id);
-- Everything is counted by its facets without reading a row.
create index search_document_by_facets on search_document (organization_id, facets_key);

-- Words that some document has or had, to find those near to one that is nowhere. A word may stand
-- here twice, so that no writer waits for another one.
create table search_word (
  organization_id uuid not null references organization (id),
  word text collate "C" not null
);

create index search_word_forward on search_word (organization_id, word);
create index search_word_backward on search_word (organization_id, reverse(word) collate "C");

-- With which rules the index was built, and how far; no row = not at all yet.
create table search_build (
  only_row boolean primary key default true check (only_row),
  rules integer not null,
  kind text,
  organization_id uuid,
  external_id text collate "C"
);

-- What people add is searched beside what the source says.
alter table asset_annotation add column lexemes text[] not null default '{}';

alter table staged_asset
  add column name_key text,
  add column lexemes text[],
  add column description text,
  add column tags text[],
  add column columns text;
