import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { readAsset } from '../../formats/asset/read.ts'
import { readDataContract } from '../../formats/data-contract/read.ts'
import { readDataProduct } from '../../formats/data-product/read.ts'
import { readText, type SourceText } from '../../formats/text.ts'
import type { Database } from '../tables.ts'

/** The tables of documents, each with the kind that its versions have and how people call it. */
const DOCUMENT_TABLES = [
  { table: 'data_product', kind: 'data-product', called: 'product' },
  { table: 'data_contract', kind: 'data-contract', called: 'contract' },
  { table: 'team', kind: 'team', called: 'team' },
  { table: 'asset', kind: 'asset', called: 'asset' },
] as const

type DocumentTable = (typeof DOCUMENT_TABLES)[number]

// An asset that is gone from its source is kept for a time, and its last version is marked.
function notItsLastVersion({ table, kind }: DocumentTable): RawBuilder<unknown> {
  const isGone = table === 'asset' ? sql`(stored.deleted_at is not null)` : sql`false`
  return sql`
    select stored.external_id as finding
    from ${sql.table(table)} as stored
    left join revision on revision.organization_id = stored.organization_id
      and revision.kind = ${kind}
      and revision.external_id = stored.external_id
      and revision.version = stored.version
    where revision.document is distinct from stored.document
      or revision.digest is distinct from stored.digest
      or (revision.deleted_at is not null) <> ${isGone}`
}

function notCurrentIn({ table, kind }: DocumentTable): RawBuilder<unknown> {
  return sql`
      and not exists (
        select from ${sql.table(table)} as stored
        where last.kind = ${kind}
          and stored.organization_id = last.organization_id
          and stored.external_id = last.external_id
          and stored.version = last.version
      )`
}

const INDEXED = sql`select organization_id, kind, external_id from search_document`

const INDEXED_DOCUMENTS = sql`(${sql.join(
  DOCUMENT_TABLES.map(
    ({ table, kind }) => sql`
        select organization_id, ${sql.lit(kind)}, external_id
        from ${sql.table(table)}${table === 'asset' ? sql` where deleted_at is null` : sql``}`,
  ),
  sql` union all `,
)})`

/** What must hold of every store; a finding is one row for which it does not. */
const RULES: Readonly<Record<string, RawBuilder<unknown>>> = {
  ...Object.fromEntries(
    DOCUMENT_TABLES.map((one) => [
      `a current ${one.called} is its last version`,
      notItsLastVersion(one),
    ]),
  ),
  'a last version that is not deleted is current': sql`
    select external_id as finding
    from (
      select distinct on (organization_id, kind, external_id) *
      from revision
      order by organization_id, kind, external_id, version desc
    ) as last
    where deleted_at is null${sql.join(DOCUMENT_TABLES.map(notCurrentIn), sql``)}`,
  'versions count without gaps, later ones from later': sql`
    select external_id as finding
    from (
      select
        external_id, version, valid_from,
        row_number() over document as expected,
        lag(valid_from) over document as before
      from revision
      window document as (partition by organization_id, kind, external_id order by version)
    ) as numbered
    where version <> expected
      or valid_from <= before`,
  'every version was told': sql`
    select revision.external_id as finding
    from revision
    where not exists (
      select from event
      where event.organization_id = revision.organization_id
        and event.kind = revision.kind
        and event.subject = revision.external_id
        and event.version = revision.version
        and not event.removal
    )`,
  'every deletion was told': sql`
    select revision.external_id as finding
    from revision
    where deleted_at is not null
      and not exists (
        select from event
        where event.organization_id = revision.organization_id
          and event.kind = revision.kind
          and event.subject = revision.external_id
          and event.version = revision.version
          and event.removal
      )`,
  'the index of the search has every document and nothing else': sql`
    select kind || ' ' || external_id as finding
    from (
      (${INDEXED} except ${INDEXED_DOCUMENTS})
      union all
      (${INDEXED_DOCUMENTS} except ${INDEXED})
    ) as differing
    -- After an upgrade it is built by the next start, which says so when it is done.
    where exists (select from search_build where kind is null)`,
  'keys are counted': sql`
    select organization.id::text as finding
    from organization
    where api_key_count <> (
      select count(*) from api_key where organization_id = organization.id
    )`,
}

const FINDINGS_SHOWN_MAX = 5
const DOCUMENTS_AT_ONCE = 20

/** One rule and what breaks it: nothing, in a sound store. */
export interface Verdict {
  rule: string
  findings: string[]
}

/** Checks a store: what its tables promise each other, and that every document is still readable. */
export async function verifyStore(db: Database): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  for (const [rule, statement] of Object.entries(RULES)) {
    const { rows } = await sql<{ finding: string }>`
      select finding from (${statement}) as found order by finding limit ${FINDINGS_SHOWN_MAX}
    `.execute(db)
    verdicts.push({ rule, findings: rows.map(({ finding }) => finding) })
  }
  const findings: string[] = []
  for (const [table, canonicalOf] of Object.entries(READERS)) {
    findings.push(...(await misreadIn(db, table, canonicalOf)))
  }
  const rule = 'every document means what its digest says'
  return [...verdicts, { rule, findings: findings.slice(0, FINDINGS_SHOWN_MAX) }]
}

/** Gives the canonical form of a document; undefined when it cannot be read. */
type CanonicalOf = (source: SourceText, id: string) => string | undefined

const READERS: Readonly<Record<string, CanonicalOf>> = {
  data_product(source, id) {
    const reading = readDataProduct(source, { id, strict: false })
    return reading.ok ? reading.canonical : undefined
  },
  data_contract(source, id) {
    const reading = readDataContract(source, { id, strict: false })
    return reading.ok ? reading.canonical : undefined
  },
  asset(source, id) {
    const reading = readAsset(source, { id, strict: false })
    return reading.ok ? reading.canonical : undefined
  },
}

async function misreadIn(db: Database, table: string, canonicalOf: CanonicalOf): Promise<string[]> {
  const findings: string[] = []
  let after = { organization: '00000000-0000-0000-0000-000000000000', id: '' }
  for (;;) {
    const rows = await documentsAfter(db, table, after)
    const last = rows.at(-1)
    if (last === undefined) return findings
    for (const row of rows) if (digestOf(row, canonicalOf) !== row.digest) findings.push(row.id)
    after = last
  }
}

// The digest of an ingested asset tells runs apart and means nothing else.
function isPut(table: string): RawBuilder<unknown> {
  return table === 'asset' ? sql`integration_id is null` : sql`true`
}

interface DocumentRow {
  organization: string
  id: string
  document: string
  mediaType: string
  digest: string
}

async function documentsAfter(
  db: Database,
  table: string,
  after: { organization: string; id: string },
): Promise<DocumentRow[]> {
  const { rows } = await sql<DocumentRow>`
    select
      organization_id as organization, external_id as id, document, media_type as "mediaType", digest
    from ${sql.table(table)}
    where (organization_id, external_id) > (${after.organization}::uuid, ${after.id})
      and ${isPut(table)}
    order by organization_id, external_id
    limit ${DOCUMENTS_AT_ONCE}
  `.execute(db)
  return rows
}

function digestOf(row: DocumentRow, canonicalOf: CanonicalOf): string | undefined {
  const mediaType = row.mediaType === 'application/yaml' ? row.mediaType : 'application/json'
  const source = readText(row.document, mediaType, { nodesMax: Number.POSITIVE_INFINITY })
  const canonical = source.ok ? canonicalOf(source, row.id) : undefined
  if (canonical === undefined) return undefined
  return createHash('sha256').update(canonical).digest('hex')
}
