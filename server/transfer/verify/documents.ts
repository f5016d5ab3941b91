import { ALL_KINDS, getRows, isRecordName, KINDS } from '../../platform/kinds.ts'
import type { DocumentKind } from '../../ledger/history/revision.ts'
import {
  additionLexemes,
  withAddition,
  type Addition,
  type SearchEntry,
} from '../../documents/search/entry.ts'
import { toReferenceTerm } from '../../documents/search/terms.ts'
import { readInBatches, type CursorQuery } from '../cursor.ts'
import {
  RESTORE,
  type Check,
  type RuleViolation,
  type Rule,
  KIND_WORDS,
  sqlCheck,
} from './check.ts'
import { deriveExpected, INGESTED } from './expected.ts'

const REPAIR =
  'stop Portbook, run "delete from search_build" on its database, and start it: it builds the index again.'

// After an upgrade, the next start builds the index.
const IS_BUILT = 'exists (select from search_build where kind is null)'

const DOCUMENTS = ALL_KINDS.map(
  ({ kind }) => `
       select organization_id, '${kind}' as kind, external_id
       from ${getRows(kind)} as current${kind === 'asset' ? ' where deleted_at is null' : ''}`,
).join('\n       union all')

/** Checks that the search index contains exactly the current documents. */
export const INDEX_CHECK: Check = sqlCheck(
  { name: 'the search index has every document and nothing else', repair: REPAIR },
  `select organization_id, format(
       '%s "%s": it is %s', ${KIND_WORDS}, external_id,
       case when is_entry then 'in the index, but does not exist' else 'not in the index' end
     ) as finding
     from (select *, true as is_document from (${DOCUMENTS}
       ) as stored
     ) as document
     full join (
       select organization_id, kind, external_id, true as is_entry from search_document
     ) as entry using (organization_id, kind, external_id)
     where (is_document is null or is_entry is null)
       and ${IS_BUILT}`,
)

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

const ENTRY_RULE: Rule = {
  name: 'every entry of the search index matches its document',
  repair: REPAIR,
}

const VALUE_CHARACTERS_MAX = 80

/** Parses every current document again and compares it with its derived columns. */
export const DOCUMENT_CHECK: Check = {
  rules: [COLUMN_RULE, ENTRY_RULE],
  async *findings(run) {
    const [build] = await run('select from search_build where kind is null')
    for (const { kind } of ALL_KINDS) {
      for await (const rows of readInBatches<DocumentRow>(run, newDocumentQuery(kind))) {
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
  /** The column of the owner or the parent, with its external ID. Only assets store external IDs themselves. */
  relation: string
  /** The condition that joins the owner, or the parent of a team, as `team`. */
  team: string
  /** Further joins. */
  joins: string
  ownerTeamId: string
  integrationId: string
  isLive: string
  addition: string
  bytes: string
}

const SHARED = ['document_json', 'name', 'digest']
const OF_DOCUMENTS = [...SHARED, 'format', 'description', 'status', 'domain', 'tags']
const USUAL: DocumentSource = {
  mediaType: 'stored.media_type',
  format: 'stored.format',
  columns: OF_DOCUMENTS,
  relation: "'owner', team.external_id",
  team: 'team.id = stored.owner_team_id',
  joins: '',
  ownerTeamId: 'stored.owner_team_id',
  integrationId: 'null',
  isLive: 'true',
  addition: 'null',
  bytes: '+ coalesce(octet_length(stored.document_json), 0)',
}

const OF_PRODUCTS = ['archetype', 'maturity', 'input_contracts', 'output_contracts', 'assets']
// The differences of some kinds from the usual expressions.
const SPECIAL: Partial<Record<DocumentKind, Partial<DocumentSource>>> = {
  'data-product': { columns: [...OF_DOCUMENTS, ...OF_PRODUCTS] },
  'data-contract': { columns: [...OF_DOCUMENTS, 'contract_version'] },
  team: {
    mediaType: "'application/json'",
    format: 'null',
    columns: ['name', 'digest', 'type', 'member_emails', 'member_roles'],
    relation: "'parent', team.external_id",
    team: 'team.id = stored.parent_id',
    ownerTeamId: 'null::uuid',
    bytes: '',
  },
  asset: {
    format: `case when stored.integration_id is null then 'asset' else '${INGESTED}' end`,
    columns: [...SHARED, 'type', 'source', 'owner'],
    relation: "'parent', stored.parent_id",
    team: 'team.external_id = stored.owner',
    joins: `left join asset_annotation as annotation
        on annotation.organization_id = stored.organization_id
        and annotation.asset_id = stored.external_id`,
    ownerTeamId: 'coalesce(team.id, annotation.owner_team_id)',
    integrationId: 'stored.integration_id',
    isLive: 'stored.deleted_at is null',
    addition: `case when annotation.asset_id is not null then jsonb_build_object(
        'description', annotation.description, 'tags', annotation.tags, 'lexemes', annotation.lexemes
      ) end`,
  },
}

const OF_RECORDS: Partial<DocumentSource> = { columns: [...OF_DOCUMENTS, 'rank', 'id_key'] }

function newDocumentQuery(kind: DocumentKind): CursorQuery {
  const source = { ...USUAL, ...(isRecordName(kind) ? OF_RECORDS : SPECIAL[kind]) }
  return {
    name: 'documents',
    select: `'${kind}' as kind, stored.external_id as id, organization.name as organization,
      stored.document, ${source.mediaType} as "mediaType", ${source.format} as format,
      jsonb_build_object(
        ${source.columns.map((column) => `'${column}', stored.${column}`).join(', ')}, ${source.relation}
      ) as columns,
      ${source.ownerTeamId} as "ownerTeamId", ${source.isLive} as "isLive",
      ${source.integrationId} as "integrationId",
      case when entry.kind is not null then to_jsonb(entry) - 'words' end as entry,
      tsvector_to_array(entry.words) as terms, ${source.addition} as addition`,
    // The team is joined, because a subquery looks up each by an index of the planner's guess: it may read all teams for
    // each row.
    from: `${getRows(kind)} as stored
      join organization on organization.id = stored.organization_id
      left join search_document as entry on entry.organization_id = stored.organization_id
        and entry.kind = '${kind}'
        and entry.external_id = stored.external_id
      left join team on team.organization_id = stored.organization_id and ${source.team}
      ${source.joins}`,
    order: 'stored.organization_id, stored.external_id',
    bytes: `octet_length(stored.document) * 2 + coalesce(octet_length(entry.columns), 0)
      ${source.bytes} + 2000`,
  }
}

function* examine(row: DocumentRow, isIndexBuilt: boolean): Generator<RuleViolation> {
  const where = `${KINDS[row.kind].called} "${row.id}" (organization ${row.organization})`
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
    synonyms: entry.synonyms.join('\n'),
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
