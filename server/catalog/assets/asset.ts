import { readDescribedPath } from '../../../formats/asset/described-path.ts'
import type { AssetReading } from '../../../formats/asset/read.ts'
import { toFileText, toStoredJson, withoutByteOrderMark } from '../../../formats/text/text.ts'
import type { SourceText } from '../../../formats/text/text.ts'
import {
  getField,
  isObject,
  type ObjectValue,
  put,
  type Value,
} from '../../../formats/text/value.ts'
import { computeDigest } from '../../documents/document.ts'
import { PATH_BYTES_MAX } from '../../ledger/promises/promise.ts'
import type { StoredDocument } from '../../requests/http/document.ts'
import { withMembers } from '../../requests/http/json.ts'
import { findIdProblem } from '../../../formats/name/document-id.ts'
import type { Instant } from '../../platform/kit/clock.ts'
import { documentEntry } from '../../documents/search/asset-entry.ts'
import type { SearchEntry } from '../../documents/search/entry.ts'

/**
 * An asset is a table, view or topic of a source platform, or a container of such. Some are PUT,
 * like other documents. Others are ingested: an integration writes the source's document in every
 * run, and people add a description, an owner and tags that are stored separately and override it.
 */

/** The maximum size of an asset's document in bytes. */
export const ASSET_BYTES_MAX = 1024 * 1024

/** A stored asset with the data that is not in its document. */
export interface StoredAsset {
  id: string
  /** The text that was PUT; for an ingested asset the source's document. */
  document: string
  documentJson: string | null
  mediaType: string
  digest: string
  version: number
  /** External id of the owning team: from its document, its annotation or its integration. */
  owner: string | null
  /** Its path as a JSON list, if its document gives it; null for an ingested asset. */
  describedPath: string | null
  /** Null = it was PUT. */
  ingestion: Ingestion | null
}

/** The data of an ingested asset that is not in the source's document. */
export interface Ingestion {
  integrationExternalId: string
  /** The run that last changed it. */
  runId: string | null
  /** Whether it is gone from its source. */
  isDeleted: boolean
  /** From the annotation; null = none. */
  description: string | null
  /** External id of the team. */
  owner: string | null
  tags: string[] | null
  /** Null = it was never measured; each null in it = unknown. */
  statistic: AssetStatistic | null
}

/** Values that change without a change of the asset. */
interface AssetStatistic {
  rowCount: number | null
  sizeBytes: number | null
  changedAt: Instant | null
}

/** The row of an asset that is PUT, or no longer ingested. */
export interface AssetRow {
  externalId: string
  document: string
  documentJson: string | null
  mediaType: string
  digest: string
  name: string
  type: string
  source: string | null
  owner: string | null
  parentId: string | null
  /** Its path as a JSON list; null = its document does not give it. */
  describedPath: string | null
  /** Its search entry. */
  entry: SearchEntry
}

/** Converts a parsed document to a row. */
export function toAssetRow(source: SourceText, reading: AssetReading & { ok: true }): AssetRow {
  const { id, name, type, ...asset } = reading.asset
  return {
    externalId: id,
    document: toFileText(source),
    documentJson: toStoredJson(source),
    mediaType: source.mediaType,
    digest: computeDigest(reading.canonical),
    name,
    type,
    source: asset.source ?? null,
    owner: asset.ownerTeamId ?? null,
    // An invalid id refers to nothing, and a text of any length would not fit into an index.
    parentId: isId(asset.parentId) ? asset.parentId : null,
    describedPath: getDescribedPath(reading.value),
    entry: documentEntry(reading.value, id, false),
  }
}

// A text of any length would not fit into an index.
function getDescribedPath(document: Value): string | null {
  const path = readDescribedPath(document)
  const text = path === undefined ? null : JSON.stringify(path)
  return text === null || Buffer.byteLength(text) > PATH_BYTES_MAX ? null : text
}

function isId(named: string | undefined): named is string {
  return named !== undefined && findIdProblem(named) === undefined
}

/**
 * Returns an asset as readers see it: as it was PUT, or merged with the data of an ingested one.
 */
export function toStoredDocument(asset: StoredAsset): StoredDocument {
  const { ingestion } = asset
  if (ingestion === null) return asset
  const { integrationExternalId, runId, statistic } = ingestion
  const merged: ObjectValue = { ...mergeAsset(asset), ingestion: { integrationExternalId, runId } }
  put(merged, 'statistic', statistic === null ? undefined : toStatisticValue(statistic))
  const document = JSON.stringify(merged)
  return { document, mediaType: 'application/json', digest: computeDigest(document) }
}

/**
 * Adds the assigned tags to an asset as readers see it. They are part of the entity tag, after the digest of the
 * document, so that caches notice a change and writers do not.
 */
export function withAssignedTags(
  stored: StoredDocument,
  assignedTags: readonly string[],
): StoredDocument {
  if (assignedTags.length === 0) return stored
  const json = withoutByteOrderMark(stored.documentJson ?? stored.document).trimEnd()
  const member = JSON.stringify(assignedTags)
  return {
    document: withMembers(json, { assignedTags: member }),
    mediaType: 'application/json',
    digest: `${stored.digest}.tags-${computeDigest(member).slice(0, 16)}`,
  }
}

/** Merges the source's document of an ingested asset with its annotation and owner. */
export function mergeAsset({ document, owner, ingestion }: StoredAsset): ObjectValue {
  const source: Value = JSON.parse(document)
  if (!isObject(source)) throw new Error('a stored asset is not an object')
  const given = getField(source, 'info')
  const info: ObjectValue = isObject(given) ? { ...given } : {}
  put(info, 'owner', owner ?? undefined)
  put(info, 'description', ingestion?.description ?? undefined)
  if (ingestion?.isDeleted === true) info['status'] = 'deleted'
  const merged: ObjectValue = { ...source, info }
  put(merged, 'tags', ingestion?.tags ?? undefined)
  return merged
}

function toStatisticValue({
  rowCount,
  sizeBytes,
  changedAt,
}: AssetStatistic): ObjectValue | undefined {
  const statisticValue: ObjectValue = {}
  put(statisticValue, 'rowCount', rowCount ?? undefined)
  put(statisticValue, 'sizeBytes', sizeBytes ?? undefined)
  put(statisticValue, 'changedAt', changedAt ?? undefined)
  return Object.keys(statisticValue).length === 0 ? undefined : statisticValue
}
