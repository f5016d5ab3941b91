import { sql, type RawBuilder } from 'kysely'
import { KINDS, type DocumentKind } from '../../platform/kinds.ts'
import { listPairs, type CustomFilter } from './custom-field.ts'
import { DESCRIPTION_CHARACTERS_MAX, type SearchEntry } from './entry.ts'
import type { ListMatch } from './search.ts'
import { WORD_CHARACTERS_MAX } from '../../../formats/text/words.ts'

// SQL fragments for the stores of other modules.

const STANDING_OF_LIVE_ASSETS = KINDS.asset.rank

/** The columns of the index, in the order of the values below. */
export const ENTRY_COLUMNS = sql`
  organization_id, kind, external_id, name, name_key, id_key, standing, owner_team_id,
  integration_id, status, domain, tags, source, type, description, columns, ports,
  synonyms, classifications, custom, output_ports, tested_servers,
  words, updated_at`

/** Replaces an existing entry. The number of its readers stays: it is counted in the background. */
export const ENTRY_REPLACED = sql`
    on conflict (organization_id, kind, external_id) do update
    set name = excluded.name, name_key = excluded.name_key, id_key = excluded.id_key,
      standing = excluded.standing, owner_team_id = excluded.owner_team_id,
      integration_id = excluded.integration_id, status = excluded.status,
      domain = excluded.domain, tags = excluded.tags, source = excluded.source,
      type = excluded.type, description = excluded.description, columns = excluded.columns,
      ports = excluded.ports, synonyms = excluded.synonyms,
      classifications = excluded.classifications, custom = excluded.custom,
      output_ports = excluded.output_ports, tested_servers = excluded.tested_servers,
      words = excluded.words,
      updated_at = excluded.updated_at`

/** Returns the terms that refer to the owner and the integration of a row, both uuids or null. */
export function referencesTo(
  owner: RawBuilder<unknown>,
  integration: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`array_remove(array[
        'o' || ${owner}::text,
        'i' || ${integration}::text,
        case when ${owner} is null then 'f' || ${integration}::text end
      ], null)`
}

/** The owner of an entry's document. */
interface EntryOwner {
  /** The internal id of the owning team; null without one. */
  teamId: RawBuilder<unknown> | string | null
  /** The external id of the integration of an ingested asset. */
  integration?: string
}

/**
 * SQL fragment, `insert into search_document …`, that indexes a document in the statement that writes it. It
 * reads the result named `written` with external_id and updated_at.
 */
export function recordEntry(
  organizationId: string,
  entry: SearchEntry,
  { teamId, integration }: EntryOwner,
): RawBuilder<unknown> {
  const integrationId =
    integration === undefined
      ? sql`null`
      : sql`(
        select id
        from integration
        where organization_id = ${organizationId}
          and external_id = ${integration}
      )`
  const references = referencesTo(sql`belonging.owner_id`, sql`belonging.integration_id`)
  return sql`
    insert into search_document (${ENTRY_COLUMNS})
    select
      ${organizationId}::uuid, ${entry.kind}, external_id, ${entry.name}, ${entry.nameKey},
      ${entry.idKey}, ${entry.standing}::smallint, belonging.owner_id, belonging.integration_id,
      ${entry.status}, ${entry.domain}, ${entry.tags}::text[], ${entry.source}, ${entry.type},
      ${entry.description}, ${entry.columns.join('\n')}, ${entry.ports.join('\n')},
      ${entry.synonyms.join('\n')}, ${entry.classifications}::text[], ${entry.custom}::text[],
      ${JSON.stringify(entry.outputPorts)}::jsonb,
      ${entry.testedServers && JSON.stringify(entry.testedServers)}::jsonb,
      array_to_tsvector(string_to_array(${entry.lexemes.join(' ')}, ' ') || ${references}), updated_at
    from written
    cross join (
      select ${teamId}::uuid as owner_id, ${integrationId}::uuid as integration_id
    ) as belonging
    ${ENTRY_REPLACED}`
}

/**
 * SQL fragment, `insert into search_word …`, that records the words of the result named `written` for
 * corrections.
 */
export function recordWords(
  organizationId: string,
  { vocabulary }: Pick<SearchEntry, 'vocabulary'>,
): RawBuilder<unknown> {
  return sql`
    insert into search_word (organization_id, word)
    select ${organizationId}::uuid, new_word.word
    from unnest(string_to_array(${vocabulary.join(' ')}, ' ')) as new_word (word)
    where exists (select from written)
      and not exists (
        select from search_word as known
        where known.organization_id = ${organizationId}
          and known.word = new_word.word
      )`
}

/**
 * SQL fragment, `delete from search_document …`, for the documents in the result named `removed`
 * (external_id).
 */
export function recordRemoval(organizationId: string, kind: DocumentKind): RawBuilder<unknown> {
  return sql`
    delete from search_document
    using removed
    where search_document.organization_id = ${organizationId}
      and search_document.kind = ${kind}
      and search_document.external_id = removed.external_id`
}

/**
 * SQL fragment, `insert into search_document …`, for publishing many ingested assets at once. It reads the
 * results named `written` (external_id, updated_at) and `planned` (planned_id and the staged columns), and
 * merges the additions of people.
 */
export function recordPublished(
  organizationId: string,
  integrationId: string,
  source: string,
): RawBuilder<unknown> {
  const references = referencesTo(sql`annotation.owner_team_id`, sql`${integrationId}::uuid`)
  const idKey = sql`regexp_replace(lower(planned_id), '[^a-z0-9]', '', 'g')`
  return sql`
    insert into search_document (${ENTRY_COLUMNS})
    select
      ${organizationId}::uuid, 'asset', planned_id, planned.name, planned.name_key, ${idKey},
      ${STANDING_OF_LIVE_ASSETS}::smallint, annotation.owner_team_id, ${integrationId}::uuid,
      'active', null, coalesce(annotation.tags, planned.tags, '{}'), ${source},
      planned.type,
      coalesce(left(annotation.description, ${DESCRIPTION_CHARACTERS_MAX}), planned.description),
      planned.columns, '', '', '{}'::text[], '{}'::text[], '[]'::jsonb,
      null::jsonb,
      array_to_tsvector(
        planned.lexemes || coalesce(annotation.lexemes, '{}') || ${references}
          || ('x' || left(${idKey}, ${WORD_CHARACTERS_MAX}))
      ),
      written.updated_at
    from planned
    join written on written.external_id = planned_id
    left join asset_annotation as annotation on annotation.organization_id = ${organizationId}
      and annotation.asset_id = planned_id
    ${ENTRY_REPLACED}`
}

/** A condition: the document with an external id matches a text. */
export function matchesText(
  organizationId: string,
  kind: DocumentKind,
  { query, products }: ListMatch,
): RawBuilder<unknown> {
  const byContract =
    kind === 'data-product' && products.length > 0
      ? sql` or external_id = any(${products}::text[])`
      : sql``
  // The kind is written out, because the indexes are partial.
  return sql`external_id in (
      select external_id
      from search_document
      where organization_id = ${organizationId}
        and kind = ${sql.lit(kind)}
        and (words @@ ${query}::tsquery${byContract})
    )`
}

/** A condition: the document with an external id has a value of each custom field. */
export function hasCustomFields(
  organizationId: string,
  kind: DocumentKind,
  custom: readonly CustomFilter[],
): RawBuilder<unknown> {
  const pairs = custom.map((filter) => sql`custom && ${listPairs(filter)}::text[]`)
  return sql`external_id in (
      select external_id
      from search_document
      where organization_id = ${organizationId}
        and kind = ${sql.lit(kind)}
        and ${sql.join(pairs, sql` and `)}
    )`
}
