import { isContainerType } from '../../formats/asset/asset.ts'
import { draftContract } from '../../formats/asset/contract.ts'
import { assetModel } from '../../formats/asset/model.ts'
import { assetOf } from '../../formats/asset/read.ts'
import type { Model } from '../../formats/schema/model.ts'
import { toSlug } from '../../formats/name/slug.ts'
import { fieldOf, type ObjectValue, type Value } from '../../formats/text/value.ts'
import { matchText } from '../search/list-service.ts'
import { notFound, Refusal } from '../errors.ts'
import { documentListAnswer } from '../http/document-list.ts'
import { readStored, type StoredDocument } from '../http/document.ts'
import type { Answer } from '../http/endpoint.ts'
import type { Database } from '../tables.ts'
import { mergedOf, shownOf, type KnownAsset } from './asset.ts'
import { listContents, listReferences, listTakenContractIds } from './list-store.ts'
import * as store from './store.ts'
import { listParents } from './tree-store.ts'

/** Tables that become one contract at most. */
export const TABLES_MAX = 1000

// The documents that become one contract, which may have 5 MiB itself.
const TABLES_BYTES_MAX = 16 * 1024 * 1024

/**
 * An asset as it is shown: the text that was PUT, or what is known of an ingested one; `source` = only
 * what its source says. Errors: not_found.
 */
export async function getAsset(
  db: Database,
  organizationId: string,
  id: string,
  layer: 'merged' | 'source',
): Promise<StoredDocument> {
  const known = await store.findAsset(db, organizationId, id)
  if (known === undefined) throw notFound()
  return layer === 'source' ? known : shownOf(known)
}

/** Which assets a list shows. */
export interface AssetList {
  q?: string | undefined
  owner?: string | undefined
  source?: string | undefined
  p: number
}

/** One page of live assets as JSON. */
export async function listAssets(
  db: Database,
  organizationId: string,
  { q, owner, source, p: page }: AssetList,
  request: { path: string; search: URLSearchParams },
): Promise<Answer> {
  const match = await matchText(db, organizationId, q ?? '')
  const filter = match === 'everything' ? { owner, source } : { match, owner, source }
  const references =
    match === undefined ? [] : await listReferences(db, organizationId, filter, page)
  const load = async (ids: readonly string[]): Promise<string[]> => {
    const known = await store.loadAssets(db, organizationId, ids)
    return known.map((asset) => asset.documentJson ?? shownOf(asset).document)
  }
  return await documentListAnswer(references, load, { ...request, page })
}

/**
 * The models of an asset: its own, or of a container those of the tables in it. Errors: not_found,
 * limit_reached when it holds more than 1,000 tables.
 */
export async function modelsOf(db: Database, organizationId: string, id: string): Promise<Model[]> {
  const known = await getLive(db, organizationId, id)
  const tables = await tablesOf(db, organizationId, known)
  return tables.map((table) => assetModel(table))
}

/**
 * Drafts a contract about an asset, or about the tables in it, as ODCS v3.1.0. Nothing is stored. The id
 * of an ingested asset is opaque, so its draft gets one of its path: `shop-crm-customers`. Errors:
 * not_found, document_invalid when there is no table, limit_reached.
 */
export async function draftContractOf(
  db: Database,
  organizationId: string,
  id: string,
): Promise<ObjectValue> {
  const known = await getLive(db, organizationId, id)
  const tables = await tablesOf(db, organizationId, known)
  if (tables.length === 0) {
    throw new Refusal(
      'invalid_state',
      'This asset has no tables. Choose a table, or an asset that directly contains tables.',
    )
  }
  const asset = assetOf(valueOf(known), id)
  const contractId =
    known.ingestion === null ? id : await proposeContractId(db, organizationId, asset)
  return draftContract({ ...asset, id: contractId }, tables)
}

const CONTRACT_ID_CHARACTERS_MAX = 100
const CONTRACT_IDS_TRIED = 20

async function proposeContractId(
  db: Database,
  organizationId: string,
  { id, name }: { id: string; name: string },
): Promise<string> {
  const parents = await listParents(db, organizationId, id)
  const path = [...parents.map((parent) => parent.name), name].join(' ')
  const slug = toSlug(path, CONTRACT_ID_CHARACTERS_MAX)
  if (slug === '') return id
  const numbered = Array.from({ length: CONTRACT_IDS_TRIED - 1 }, (_, at) => `${slug}-${at + 2}`)
  const taken = new Set(await listTakenContractIds(db, organizationId, [slug, ...numbered]))
  return [slug, ...numbered].find((one) => !taken.has(one)) ?? id
}

async function getLive(db: Database, organizationId: string, id: string): Promise<KnownAsset> {
  const known = await store.findAsset(db, organizationId, id)
  if (known === undefined || known.ingestion?.isDeleted === true) throw notFound()
  return known
}

// What an asset holds counts only when it is no table itself.
async function tablesOf(db: Database, organizationId: string, known: KnownAsset): Promise<Value[]> {
  const own = valueOf(known)
  const hasColumns = fieldOf(own, 'columns') !== undefined
  if (hasColumns || !isContainerType(assetOf(own, known.id).type)) return [own]
  const contents = await listContents(db, organizationId, known.id, TABLES_MAX)
  const tables = contents.filter(({ type }) => !isContainerType(type))
  const bytes = tables.reduce((total, table) => total + table.bytes, 0)
  if (contents.length > TABLES_MAX || bytes > TABLES_BYTES_MAX) {
    throw new Refusal(
      'limit_reached',
      `The asset has more than ${TABLES_MAX} tables, or they are too large for one contract. Choose single tables.`,
    )
  }
  const ids = tables.map(({ key }) => key)
  return (await store.loadAssets(db, organizationId, ids)).map(valueOf)
}

// What people say counts; by which run an asset came is not a part of it.
function valueOf(known: KnownAsset): Value {
  return known.ingestion === null ? readStored(known).value : mergedOf(known)
}
