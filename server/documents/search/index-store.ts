import { sql } from 'kysely'
import type { Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { SearchEntry } from './entry.ts'
import { ENTRY_COLUMNS, ENTRY_REPLACED, referencesTo } from './record.ts'

/** An entry with the columns that the document itself does not have. */
export interface IndexRow {
  organizationId: string
  entry: SearchEntry
  /** Internal ids. */
  ownerTeamId: string | null
  integrationId: string | null
  updatedAt: Instant
}

/**
 * Writes entries into the index, whether it has them or not, in one statement. New ones get the stored levels of trust; later
 * levels are written with the signals.
 */
export async function upsertEntries(db: Database, rows: readonly IndexRow[]): Promise<void> {
  const given = rows.map(({ organizationId, entry, ownerTeamId, integrationId, updatedAt }) => ({
    organization_id: organizationId,
    owner_team_id: ownerTeamId,
    integration_id: integrationId,
    updated_at: updatedAt,
    kind: entry.kind,
    external_id: entry.id,
    name: entry.name,
    name_key: entry.nameKey,
    id_key: entry.idKey,
    standing: entry.standing,
    status: entry.status,
    domain: entry.domain,
    tags: entry.tags,
    source: entry.source,
    type: entry.type,
    description: entry.description,
    columns: entry.columns.join('\n'),
    ports: entry.ports.join('\n'),
    synonyms: entry.synonyms.join('\n'),
    classifications: entry.classifications,
    custom: entry.custom,
    output_ports: entry.outputPorts,
    tested_servers: entry.testedServers,
    lexemes: entry.lexemes.join(' '),
  }))
  const references = referencesTo(sql`owner_team_id`, sql`integration_id`)
  await sql`
    insert into search_document (${ENTRY_COLUMNS}, trust, drift)
    select organization_id, kind, external_id, name, name_key, id_key, standing, owner_team_id,
      integration_id, status, domain, tags, source, type, description, columns, ports, synonyms,
      classifications, custom, output_ports, tested_servers,
      array_to_tsvector(string_to_array(lexemes, ' ') || ${references}), updated_at,
      coalesce(state.worst, 1), coalesce(state.drift, 1)
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (
      organization_id uuid, kind text, external_id text, name text, name_key text, id_key text,
      standing smallint, owner_team_id uuid, integration_id uuid, status text, domain text,
      tags text[], source text, type text, description text, columns text, ports text,
      synonyms text, classifications text[], custom text[], output_ports jsonb,
      tested_servers jsonb, lexemes text, updated_at timestamptz
    )
    -- Looked up by the key: after an import the store has no statistics yet.
    left join lateral (
      select greatest(tests, freshness, trust_state.drift, trust_state.standing) as worst, trust_state.drift
      from trust_state
      where trust_state.organization_id = given.organization_id
        and trust_state.kind = given.kind
        and trust_state.subject = given.external_id
      limit 1
    ) as state on true
    ${ENTRY_REPLACED}
  `.execute(db)
}

/** Inserts words as suggestions for misspelled ones, except existing words. */
export async function insertWords(
  db: Database,
  organizationId: string,
  words: readonly string[],
): Promise<void> {
  await sql`
    insert into search_word (organization_id, word)
    select ${organizationId}::uuid, new_word.word
    from unnest(string_to_array(${words.join(' ')}, ' ')) as new_word (word)
    where not exists (
      select from search_word as known
      where known.organization_id = ${organizationId}
        and known.word = new_word.word
    )
  `.execute(db)
}
