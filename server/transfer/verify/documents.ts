import { ALL_KINDS, getRows, isRecordName, KINDS } from '../../platform/kinds.ts'
import type { DocumentKind } from '../../ledger/history/revision.ts'
import {
  additionLexemes,
  withAddition,
  type Addition,
  type SearchEntry,
} from '../../documents/search/entry.ts'
import { toReferenceTerm } from '../../documents/search/terms.ts'
import { readInBatches, type RunQuery } from '../cursor.ts'
import { RESTORE, type Check, type RuleViolation, type Rule } from './check.ts'
import { deriveExpected, INGESTED } from './expected.ts'
import { ENTRY_RULE } from './search-index.ts'

/** A current document with its derived columns and its search index entry. */
interface DocumentRow {
  kind: DocumentKind
  id: string
  organization: string
  document: string
  mediaType: string
  format: string | null
  /** The columns by name, with the external IDs of the owner and parent. */
  columns: Record<string, unknown>
  ownerTeamId: string | null
  integrationId: string | null
  isLive: boolean
  /** The columns of its entry and its search terms; null = no entry. */
  entry: Record<string, unknown> | null
  terms: string[] | null
  /** The annotations of an asset; null = none. */
  addition: (Addition & { lexemes: string[] }) | null
}

const COLUMN_RULE: Rule = {
  name: 'names, owners, members, roles and digests are those of the documents',
  repair: `${RESTORE} Or PUT the document with a change, which rewrites its columns.`,
}

const VALUE_CHARACTERS_MAX = 80

/** Parses every current document again and compares it with its derived columns. */
export const DOCUMENT_CHECK: Check = {
  rules: [COLUMN_RULE, ENTRY_RULE],
  async *findings(run) {
    const [build] = await run('select from search_build where kind is null')
    for (const { kind } of ALL_KINDS) {
      for await (const rows of readDocuments(run, kind)) {
        for (const row of rows) yield* examine(row, build !== undefined)
      }
    }
  },
}

/** SQL expressions on the row `stored` of a kind of document. */
interface DocumentSource {
  mediaType: string
  format: string
  columns: readonly string[]
  ownerTeamId: string
  isLive: string
}

const SHARED = ['document_json', 'name', 'digest']
const OF_DOCUMENTS = [...SHARED, 'format', 'description', 'status', 'domain', 'tags']
const USUAL: DocumentSource = {
  mediaType: 'stored.media_type',
  format: 'stored.format',
  columns: OF_DOCUMENTS,
  ownerTeamId: 'stored.owner_team_id',
  isLive: 'true',
}

// The differences of some kinds from the usual columns.
const SPECIAL: Partial<Record<DocumentKind, Partial<DocumentSource>>> = {
  'data-product': {
    columns: [
      ...OF_DOCUMENTS,
      'archetype',
      'maturity',
      'input_contracts',
      'output_contracts',
      'assets',
    ],
  },
  'data-contract': { columns: [...OF_DOCUMENTS, 'contract_version'] },
  team: {
    mediaType: "'application/json'",
    format: 'null',
    columns: ['name', 'digest', 'type', 'member_emails', 'member_roles'],
    ownerTeamId: 'null::uuid',
  },
  asset: {
    format: `case when stored.integration_id is null then 'asset' else '${INGESTED}' end`,
    columns: [...SHARED, 'type', 'source', 'owner'],
    ownerTeamId: 'coalesce(team.id, annotation.owner_team_id)',
    isLive: 'stored.deleted_at is null',
  },
}

const OF_RECORDS: Partial<DocumentSource> = { columns: [...OF_DOCUMENTS, 'rank', 'id_key'] }

// Owners and parents are stored as internal IDs except in assets.
function selectRelations(kind: DocumentKind): string {
  if (kind === 'asset') return "'parent', stored.parent_id"
  return `'${kind === 'team' ? 'parent' : 'owner'}', team.external_id`
}

// A join, because a subquery looks up each team by an index of the planner's guess: it may read all teams for each row.
function joinTeam(kind: DocumentKind): string {
  const key =
    kind === 'asset'
      ? 'team.external_id = stored.owner'
      : `team.id = stored.${kind === 'team' ? 'parent_id' : 'owner_team_id'}`
  return `left join team on team.organization_id = stored.organization_id and ${key}`
}

async function* readDocuments(
  run: RunQuery,
  kind: DocumentKind,
): AsyncGenerator<(DocumentRow & { word: string })[]> {
  const source = { ...USUAL, ...(isRecordName(kind) ? OF_RECORDS : SPECIAL[kind]) }
  const isAsset = kind === 'asset'
  const annotations = isAsset
    ? `left join asset_annotation as annotation
         on annotation.organization_id = stored.organization_id
         and annotation.asset_id = stored.external_id`
    : ''
  const batches = readInBatches<DocumentRow>(run, {
    name: 'documents',
    select: `'${kind}' as kind, stored.external_id as id, organization.name as organization,
      stored.document, ${source.mediaType} as "mediaType", ${source.format} as format,
      jsonb_build_object(
        ${source.columns.map((column) => `'${column}', stored.${column}`).join(', ')}, ${selectRelations(kind)}
      ) as columns,
      ${source.ownerTeamId} as "ownerTeamId", ${source.isLive} as "isLive",
      ${isAsset ? 'stored.integration_id' : 'null'} as "integrationId",
      case when entry.kind is not null then to_jsonb(entry) - 'words' end as entry,
      tsvector_to_array(entry.words) as terms,
      ${isAsset ? `case when annotation.asset_id is not null then jsonb_build_object('description', annotation.description, 'tags', annotation.tags, 'lexemes', annotation.lexemes) end` : 'null'} as addition`,
    from: `${getRows(kind)} as stored
      join organization on organization.id = stored.organization_id
      left join search_document as entry on entry.organization_id = stored.organization_id
        and entry.kind = '${kind}'
        and entry.external_id = stored.external_id
      ${joinTeam(kind)}
      ${annotations}`,
    order: 'stored.organization_id, stored.external_id',
    bytes: `octet_length(stored.document) * 2 + coalesce(octet_length(entry.columns), 0)
      ${kind === 'team' ? '' : '+ coalesce(octet_length(stored.document_json), 0)'} + 2000`,
  })
  for await (const rows of batches) yield rows.map((row) => ({ ...row, word: KINDS[kind].called }))
}

function* examine(
  row: DocumentRow & { word: string },
  isIndexBuilt: boolean,
): Generator<RuleViolation> {
  const where = `${row.word} "${row.id}" (organization ${row.organization})`
  const expected = deriveExpected(row)
  if (expected === undefined) {
    yield { rule: COLUMN_RULE, text: `${where}: its text cannot be parsed` }
    return
  }
  const { digest, columns, entry } = expected
  for (const text of listDifferences({ ...columns, digest }, row.columns)) {
    yield { rule: COLUMN_RULE, text: `${where}: ${text}` }
  }
  // Another check reports missing entries.
  if (!row.isLive || row.entry === null || !isIndexBuilt) return
  for (const text of listDifferences(...toEntries(row, entry))) {
    yield { rule: ENTRY_RULE, text: `${where}: ${text}` }
  }
}

/** Returns the expected and the actual entry of a document, in the same form. */
function toEntries(
  row: DocumentRow,
  fromDocument: SearchEntry,
): [expected: Record<string, unknown>, actual: Record<string, unknown>] {
  const { addition, ownerTeamId, integrationId, terms } = row
  const entry = addition === null ? fromDocument : withAddition(fromDocument, addition)
  const references = [
    ...(ownerTeamId === null ? [] : [toReferenceTerm('team', ownerTeamId)]),
    ...(integrationId === null ? [] : [toReferenceTerm('integration', integrationId)]),
    ...(ownerTeamId === null && integrationId !== null
      ? [toReferenceTerm('fallback', integrationId)]
      : []),
  ]
  const expected = {
    name: entry.name,
    name_key: entry.nameKey,
    id_key: entry.idKey,
    standing: entry.standing,
    owner_team_id: ownerTeamId,
    integration_id: integrationId,
    status: entry.status,
    domain: entry.domain,
    tags: entry.tags,
    source: entry.source,
    type: entry.type,
    description: entry.description,
    columns: entry.columns.join('\n'),
    ports: entry.ports.join('\n'),
    words: [...new Set([...entry.lexemes, ...references])].toSorted(),
    annotation: addition === null ? null : additionLexemes(addition).toSorted(),
  }
  const annotation = addition === null ? null : sorted(addition.lexemes)
  return [expected, { ...row.entry, words: sorted(terms), annotation }]
}

function listDifferences(
  expected: Record<string, unknown>,
  actual: Record<string, unknown>,
): string[] {
  return Object.entries(expected)
    .filter(([name, value]) => actual[name] !== undefined || value !== null)
    .filter(([name, value]) => JSON.stringify(actual[name]) !== JSON.stringify(value))
    .map(([name, value]) =>
      name === 'words' || name === 'document_json'
        ? `${name} does not match the document`
        : `${name} is ${clipped(actual[name])}, but the document has ${clipped(value)}`,
    )
}

function clipped(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > VALUE_CHARACTERS_MAX ? `${text.slice(0, VALUE_CHARACTERS_MAX)}…` : text
}

function sorted(texts: unknown): string[] | undefined {
  return Array.isArray(texts) ? texts.map(String).toSorted() : undefined
}
