/** The documents of a large store, with the columns that the product derives from them. */

import { hash } from 'node:crypto'
import { readTerms } from '../../formats/agreement/agreement.ts'
import { RECORDS } from '../../formats/record/kinds.ts'
import { PLAIN_RECORDS } from '../../formats/record/plain-kinds.ts'
import { readPlainFields } from '../../formats/record/read-plain.ts'
import { readAcceptedText } from '../../formats/text/text.ts'
import { presentAgreement } from '../../server/agreements/task.ts'
import { toSeenAsset } from '../../server/ingestion/runs/asset-document.ts'
import type { DocumentKind } from '../../server/platform/kinds.ts'
import { deriveExpected } from '../../server/transfer/verify/expected.ts'
import { buildAgreement } from '../agreements.ts'
import { buildPlainRecord } from '../plain-records.ts'
import { buildRecord, toRecordId } from '../records.ts'
import { odcs, odps } from '../world.ts'
import type { CopiedRow } from './copy.ts'

/** The organization that is filled. */
export interface Filled {
  organizationId: string
  integrationId: string
}

/** The numbers of things of a kind: from the first number up to, not including, the last. */
export type Range = readonly [from: number, to: number]

/** The number of documents of a team, and of tables in a schema with the schema itself. */
export const GROUP = 50
export const COLUMNS = 9
const VERSIONS_EVERY = 10

const STARTED_MS = Date.UTC(2026, 0, 1)
const CREATED = {
  created_at: new Date(STARTED_MS).toISOString(),
  updated_at: new Date(STARTED_MS).toISOString(),
  updated_by: 'system',
}

/** Returns a UUID that depends only on a text. */
export function toUuid(text: string): string {
  return toRecordId({ hasUuidIds: true } as (typeof RECORDS)[number], text)
}

const toTeam = (number: number): string => `team-${Math.floor(number / GROUP)}`

// Three documents in turn, so that the products name contracts that exist.
const toProduct = (number: number): string => `product-${number - (number % 3)}`
const toContract = (number: number): string => `contract-${number - (number % 3) + 1}`

interface Document {
  kind: DocumentKind
  id: string
  document: string
}

/** Creates the rows of the teams that own the documents of a range. */
export function* listTeams(filled: Filled, [from, to]: Range): Generator<CopiedRow> {
  for (let number = Math.ceil(from / GROUP); number < Math.ceil(to / GROUP); number += 1) {
    const id = `team-${number}`
    const members = [{ emailAddress: `person${number}@velmora.example`, role: 'Owner' }]
    const document = JSON.stringify({ id, name: `Team ${number}`, type: 'Team', members })
    const { parent, ...columns } = deriveRow({ kind: 'team', id, document }, filled)
    yield { ...columns, id: toUuid(id), parent_id: parent }
  }
}

/** Creates the rows of the data products, data contracts or records of a range. */
export function* listDocuments(
  filled: Filled,
  [from, to]: Range,
  which: 'data_product' | 'data_contract' | 'catalog_record',
): Generator<CopiedRow> {
  const rest = ['data_product', 'data_contract', 'catalog_record'].indexOf(which)
  for (let number = from; number < to; number += 1) {
    if (number % 3 !== rest) continue
    const one = createDocument(number)
    const { owner = null, ...columns } = deriveRow(one, filled)
    yield {
      ...columns,
      media_type: 'application/json',
      version: number % VERSIONS_EVERY === 0 ? 2 : 1,
      owner_team_id: typeof owner === 'string' ? toUuid(owner) : null,
      ...(which === 'catalog_record' ? { kind: one.kind } : {}),
    }
  }
}

function createDocument(number: number): Document {
  const team = { name: toTeam(number) }
  if (number % 3 === 0) {
    const id = toProduct(number)
    const more = {
      name: `Shipments of region ${number}`,
      description: { purpose: `Everything that left the depots of region ${number}` },
      domain: `domain-${number % 40}`,
      tags: [`tag-${number % 100}`],
      team,
      inputPorts: [{ name: 'in', version: '1', contractId: toContract(number) }],
      outputPorts: [{ name: 'out', version: '1', contractId: toContract(number) }],
    }
    return { kind: 'data-product', id, document: JSON.stringify(odps(id, more)) }
  }
  if (number % 3 === 1) {
    const id = toContract(number)
    const properties = Array.from({ length: COLUMNS }, (_, at) => ({
      name: `column_${at}`,
      logicalType: 'string',
      required: at === 0,
    }))
    const more = { team, schema: [{ name: `shipments_${number}`, properties }] }
    return { kind: 'data-contract', id, document: JSON.stringify(odcs(id, more)) }
  }
  const kind = RECORDS[number % RECORDS.length]
  if (kind === undefined) throw new Error('no kind of record exists')
  const id = toRecordId(kind, `record-${number}`)
  const document = JSON.stringify(buildRecord(kind, id, { owner: team.name }))
  return { kind: kind.kind, id, document }
}

/** Creates the rows of the ingested assets of a range: every fiftieth is the schema of the tables after it. */
export function* listAssets(filled: Filled, [from, to]: Range): Generator<CopiedRow> {
  for (let number = from; number < to; number += 1) yield createAssetRow(filled, number)
}

/** Creates the row of an ingested asset, as a run stores it. */
export function createAssetRow(filled: Filled, number: number): CopiedRow {
  const { organizationId, integrationId } = filled
  const schema = ['warehouse', `schema_${Math.floor(number / GROUP)}`]
  const isSchema = number % GROUP === 0
  const seen = toSeenAsset(
    {
      kind: isSchema ? 'schema' : 'table',
      path: isSchema ? schema : [...schema, `table_${number}`],
      scope: schema,
      parent: isSchema ? [] : schema,
      description: `Rows of the depot ${number}`,
      ...(isSchema
        ? {}
        : {
            columns: Array.from({ length: COLUMNS }, (_, at) => ({
              name: `column_${at}`,
              type: at % 2 === 0 ? 'integer' : 'text',
              required: at === 0,
            })),
          }),
    },
    { integrationId, source: 'postgres' },
  )
  const { id, parentId } = seen
  const relationships =
    parentId === null ? {} : { relationships: [{ relationshipType: 'parent', assetId: parentId }] }
  const prefix = JSON.stringify({ id, ...relationships }).slice(0, -1)
  return {
    organization_id: organizationId,
    external_id: id,
    document: `${prefix},${seen.document.slice(1)}`,
    digest: seen.digest,
    source: 'postgres',
    name: seen.name,
    type: seen.type,
    media_type: 'application/json',
    integration_id: integrationId,
    path: seen.path,
    scope: seen.scope,
    kind: seen.kind,
    parent_id: parentId,
    version: number % VERSIONS_EVERY === 0 ? 2 : 1,
    ...CREATED,
  }
}

/** Derives the columns of a document from its text, as the product does and `verify` expects. */
export function deriveRow(
  { kind, id, document }: Document,
  { organizationId }: Filled,
): Record<string, unknown> {
  const stored = { kind, id, document, mediaType: 'application/json', format: null }
  const expected = deriveExpected(stored)
  if (expected === undefined) throw new Error(`${kind} "${id}" cannot be read`)
  return {
    organization_id: organizationId,
    external_id: id,
    document,
    ...expected.columns,
    digest: expected.digest,
    version: 1,
    ...CREATED,
  }
}

/** Creates the rows of active agreements between the products and teams of a range, and the texts of their versions. */
export function* listAgreements(
  { organizationId }: Filled,
  [from, to]: Range,
): Generator<{ row: CopiedRow; text: string }> {
  for (let number = from; number < to; number += 1) {
    const [product, team] = [toProduct(number), toTeam(number)]
    const document = JSON.stringify(buildAgreement(product, { teamId: team }))
    const source = readAcceptedText(document, 'application/json')
    if (!source.ok) throw new Error(`${document} cannot be read`)
    const terms = readTerms(source.value)
    const decision = {
      status: 'approved',
      contractId: toContract(number),
      contractVersion: '1.0.0',
    }
    const parties = { providerTeam: toTeam(number - (number % 3)), consumerTeam: team }
    const presentable = { document, mediaType: 'application/json', provisioning: null, ...parties }
    const { text, digest } = presentAgreement({ ...presentable, ...decision, terms, active: true })
    const at = new Date(STARTED_MS).toISOString()
    const row = {
      organization_id: organizationId,
      external_id: `access-${number}`,
      document,
      media_type: 'application/json',
      version: 1,
      digest,
      provider_product: product,
      output_port: 'out',
      provider_team: parties.providerTeam,
      consumer_type: 'team',
      consumer_team: team,
      purpose: 'Reports',
      roles: terms.roles,
      status: decision.status,
      state: 'active',
      requested_at: at,
      requested_by: 'system',
      decided_at: at,
      decided_by: 'system',
      contract_id: decision.contractId,
      contract_version: decision.contractVersion,
      created_at: at,
      updated_at: at,
      updated_by: 'system',
    }
    yield { row, text }
  }
}

/** Creates the rows of plain records of the teams and products of a range. */
export function* listPlainRecords(
  { organizationId }: Filled,
  [from, to]: Range,
): Generator<CopiedRow> {
  for (let number = from; number < to; number += 1) {
    const kind = PLAIN_RECORDS[number % PLAIN_RECORDS.length]
    if (kind === undefined) throw new Error('no kind of plain record exists')
    const id = `plain-${number}`
    const [product, team] = [toProduct(number), toTeam(number)]
    const document = JSON.stringify({ id, ...buildPlainRecord(kind, id, product) })
    const source = readAcceptedText(document, 'application/json')
    if (!source.ok) throw new Error(`${document} cannot be read`)
    const { productId, filterValues } = readPlainFields(kind, source.value)
    const at = new Date(STARTED_MS).toISOString()
    yield {
      organization_id: organizationId,
      kind: kind.kind,
      scope: kind.holder.by === 'team' ? team : '',
      external_id: id,
      document,
      digest: hash('sha256', document),
      team_id: kind.holder.by === 'team' ? toUuid(team) : null,
      product_id: productId,
      filter_values: filterValues,
      created_at: at,
      updated_at: at,
      updated_by: 'system',
    }
  }
}
