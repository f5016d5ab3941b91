import { isContainerType } from '../../../formats/asset/asset.ts'
import { draftContract } from '../../../formats/asset/contract.ts'
import { assetModel } from '../../../formats/asset/model.ts'
import { buildAsset } from '../../../formats/asset/read.ts'
import type { Model } from '../../../formats/schema/model.ts'
import { toSlug } from '../../../formats/name/slug.ts'
import { getField, type ObjectValue, type Value } from '../../../formats/text/value.ts'
import { matchText } from '../../documents/search/list-service.ts'
import { notFound, ApiError } from '../../platform/errors.ts'
import { documentListAnswer } from '../../requests/http/document-list.ts'
import { readStored, type StoredDocument } from '../../requests/http/document.ts'
import type { Answer } from '../../requests/http/endpoint.ts'
import { withIds } from '../../requests/http/json.ts'
import type { Database } from '../../platform/tables.ts'
import { mergeAsset, toStoredDocument, withAssignedTags, type StoredAsset } from './asset.ts'
import { listContents, listReferences, listTakenContractIds } from './list-store.ts'
import * as store from './store.ts'
import { listParents } from './tree-store.ts'

/** The maximum number of tables in one contract. */
const TABLES_MAX = 1000

// The total size of the documents for one contract, which may have 5 MiB itself.
const TABLES_BYTES_MAX = 16 * 1024 * 1024

/**
 * Returns an asset: the text that was PUT, or the merged document of an ingested one, both with their assigned tags if
 * there are any; `source` = only the source's document. Errors: not_found.
 */
export async function getAsset(
  db: Database,
  organizationId: string,
  id: string,
  layer: 'merged' | 'source',
): Promise<StoredDocument> {
  const existing = await store.findAsset(db, organizationId, id)
  if (existing === undefined) throw notFound()
  if (layer === 'source') return existing
  return withAssignedTags(toStoredDocument(existing), existing.assignedTags)
}

/** Returns the owning team of an asset, null without one, and its assigned tags. Errors: not_found. */
export async function getAssetTags(
  db: Database,
  organizationId: string,
  id: string,
): Promise<{ owner: string | null; assignedTags: string[] }> {
  const existing = await store.findAsset(db, organizationId, id)
  if (existing === undefined) throw notFound()
  return existing
}

/** The conditions of a list of assets. */
interface AssetList {
  q?: string | undefined
  owner?: string | undefined
  source?: string | undefined
  p: number
}

/** Returns one page of live assets as JSON. */
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
    const existing = await store.loadAssets(db, organizationId, ids)
    const documents = existing.map((asset) => ({
      id: asset.id,
      document: asset.documentJson ?? toStoredDocument(asset).document,
    }))
    return await withIds(documents)
  }
  return await documentListAnswer(references, load, { ...request, page })
}

/**
 * Returns the models of an asset: its own, or those of the tables in a container. Errors:
 * not_found, limit_reached if it contains more than 1,000 tables.
 */
export async function listModels(
  db: Database,
  organizationId: string,
  id: string,
): Promise<Model[]> {
  const existing = await getLive(db, organizationId, id)
  const tables = await loadTables(db, organizationId, existing)
  return tables.map((table) => assetModel(table))
}

/**
 * Drafts a contract for an asset, or for the tables in it, as ODCS v3.2.0. Nothing is stored. The
 * id of an ingested asset is opaque, so its draft gets an id derived from its path:
 * `shop-crm-customers`. Errors: not_found, document_invalid if there is no table, limit_reached.
 */
export async function createContractDraft(
  db: Database,
  organizationId: string,
  id: string,
): Promise<ObjectValue> {
  const existing = await getLive(db, organizationId, id)
  const tables = await loadTables(db, organizationId, existing)
  if (tables.length === 0) {
    throw new ApiError(
      'invalid_state',
      'This asset has no tables. Choose a table, or an asset that directly contains tables.',
    )
  }
  const asset = buildAsset(toValue(existing), id)
  const contractId =
    existing.ingestion === null ? id : await proposeContractId(db, organizationId, asset)
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

async function getLive(db: Database, organizationId: string, id: string): Promise<StoredAsset> {
  const existing = await store.findAsset(db, organizationId, id)
  if (existing === undefined || existing.ingestion?.isDeleted === true) throw notFound()
  return existing
}

// The contents of an asset count only if it is not a table itself.
async function loadTables(
  db: Database,
  organizationId: string,
  existing: StoredAsset,
): Promise<Value[]> {
  const own = toValue(existing)
  const hasColumns = getField(own, 'columns') !== undefined
  if (hasColumns || !isContainerType(buildAsset(own, existing.id).type)) return [own]
  const contents = await listContents(db, organizationId, existing.id, TABLES_MAX)
  const tables = contents.filter(({ type }) => !isContainerType(type))
  const bytes = tables.reduce((total, table) => total + table.bytes, 0)
  if (contents.length > TABLES_MAX || bytes > TABLES_BYTES_MAX) {
    throw new ApiError(
      'limit_reached',
      `The asset has more than ${TABLES_MAX} tables, or they are too large for one contract. Choose individual tables.`,
    )
  }
  const ids = tables.map(({ key }) => key)
  return (await store.loadAssets(db, organizationId, ids)).map(toValue)
}

// Includes the annotation, but not the run.
function toValue(existing: StoredAsset): Value {
  return existing.ingestion === null ? readStored(existing).value : mergeAsset(existing)
}
