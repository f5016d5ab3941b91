import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { readDataProduct } from '../../formats/data-product/read.ts'
import { readText } from '../../formats/text.ts'
import type { Database } from '../tables.ts'

/** What must hold of every store; a finding is one row for which it does not. */
const RULES = {
  'a current product is its last version': sql`
    select product.external_id as finding
    from data_product as product
    left join revision on revision.organization_id = product.organization_id
      and revision.kind = 'data-product'
      and revision.external_id = product.external_id
      and revision.version = product.version
    where revision.document is distinct from product.document
      or revision.digest is distinct from product.digest
      or revision.deleted_at is not null`,
  'a current team is its last version': sql`
    select team.external_id as finding
    from team
    left join revision on revision.organization_id = team.organization_id
      and revision.kind = 'team'
      and revision.external_id = team.external_id
      and revision.version = team.version
    where revision.document is distinct from team.document
      or revision.digest is distinct from team.digest
      or revision.deleted_at is not null`,
  'a last version that is not deleted is current': sql`
    select external_id as finding
    from (
      select distinct on (organization_id, kind, external_id) *
      from revision
      order by organization_id, kind, external_id, version desc
    ) as last
    where deleted_at is null
      and not exists (
        select from data_product
        where kind = 'data-product'
          and data_product.organization_id = last.organization_id
          and data_product.external_id = last.external_id
          and data_product.version = last.version
      )
      and not exists (
        select from team
        where kind = 'team'
          and team.organization_id = last.organization_id
          and team.external_id = last.external_id
          and team.version = last.version
      )`,
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
  'keys are counted': sql`
    select organization.id::text as finding
    from organization
    where api_key_count <> (
      select count(*) from api_key where organization_id = organization.id
    )`,
}

const FINDINGS_SHOWN_MAX = 5
const DOCUMENTS_AT_ONCE = 100

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
  return [...verdicts, await verifyDocuments(db)]
}

async function verifyDocuments(db: Database): Promise<Verdict> {
  const findings: string[] = []
  let after = { organization: '00000000-0000-0000-0000-000000000000', id: '' }
  for (;;) {
    const rows = await documentsAfter(db, after)
    const last = rows.at(-1)
    if (last === undefined) break
    for (const row of rows) if (digestOf(row) !== row.digest) findings.push(row.id)
    after = last
  }
  return {
    rule: 'every document means what its digest says',
    findings: findings.slice(0, FINDINGS_SHOWN_MAX),
  }
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
  after: { organization: string; id: string },
): Promise<DocumentRow[]> {
  const { rows } = await sql<DocumentRow>`
    select
      organization_id as organization, external_id as id, document, media_type as "mediaType", digest
    from data_product
    where (organization_id, external_id) > (${after.organization}::uuid, ${after.id})
    order by organization_id, external_id
    limit ${DOCUMENTS_AT_ONCE}
  `.execute(db)
  return rows
}

function digestOf({ id, document, mediaType }: DocumentRow): string | undefined {
  const yaml = mediaType === 'application/yaml'
  const source = readText(document, yaml ? 'application/yaml' : 'application/json')
  const reading = source.ok ? readDataProduct(source, { id, strict: false }) : undefined
  if (reading === undefined || !reading.ok) return undefined
  return createHash('sha256').update(reading.canonical).digest('hex')
}
