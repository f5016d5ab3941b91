import { createHash } from 'node:crypto'
import type { AssetReading } from '../../formats/asset/read.ts'
import { fileOf, storedJsonOf, type SourceText } from '../../formats/text/text.ts'
import { fieldOf, isObject, type ObjectValue, put, type Value } from '../../formats/text/value.ts'
import type { StoredDocument } from '../http/document.ts'
import { findIdProblem } from '../../formats/name/document-id.ts'
import type { Instant } from '../kit/clock.ts'
import { documentEntry } from '../search/asset-entry.ts'
import type { SearchEntry } from '../search/entry.ts'

/**
 * An asset is a table, view or topic of a source platform, or what contains such things. Some are
 * PUT, like other documents. Others are ingested: an integration writes what the source says of them
 * in every run, and people add a description, an owner and tags that lie beside that and win.
 */

/** Bytes of an asset's document at most. */
export const ASSET_BYTES_MAX = 1024 * 1024

/** An asset as it stands, with all that its document does not say. */
export interface KnownAsset {
  id: string
  /** The text that was PUT; of an ingested one, what the source says. */
  document: string
  documentJson: string | null
  mediaType: string
  digest: string
  version: number
  /** External id of the team that owns it: by its document, by people, or by its integration. */
  owner: string | null
  /** Null = it was PUT. */
  ingestion: Ingestion | null
}

/** What is known of an ingested asset besides what its source says. */
export interface Ingestion {
  integrationExternalId: string
  /** The run that last changed it. */
  runId: string | null
  /** It is gone from its source. */
  isDeleted: boolean
  /** What people added; null = nothing. */
  description: string | null
  /** External id of the team. */
  owner: string | null
  tags: string[] | null
  /** Null = it was never measured; each null in it = unknown. */
  statistic: Statistic | null
}

/** What changes without the asset being changed. */
export interface Statistic {
  rowCount: number | null
  sizeBytes: number | null
  changedAt: Instant | null
}

/** What is written of an asset that is PUT, or no longer ingested. */
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
  /** What search knows of it. */
  entry: SearchEntry
}

/** The digest of what a text means, or of the text itself. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** What is stored of a document that was read. */
export function rowOf(source: SourceText, reading: AssetReading & { ok: true }): AssetRow {
  const { id, name, type, ...asset } = reading.asset
  return {
    externalId: id,
    document: fileOf(source),
    documentJson: storedJsonOf(source),
    mediaType: source.mediaType,
    digest: digestOf(reading.canonical),
    name,
    type,
    source: asset.source ?? null,
    owner: asset.ownerTeamId ?? null,
    // What can be no id leads nowhere, and a text of any length would not fit into an index.
    parentId: isId(asset.parentId) ? asset.parentId : null,
    entry: documentEntry(reading.value, id, false),
  }
}

function isId(named: string | undefined): named is string {
  return named !== undefined && findIdProblem(named) === undefined
}

/** An asset as readers see it: as it was PUT, or with all that is known of an ingested one. */
export function shownOf(asset: KnownAsset): StoredDocument {
  const { ingestion } = asset
  if (ingestion === null) return asset
  const { integrationExternalId, runId, statistic } = ingestion
  const shown: ObjectValue = { ...mergedOf(asset), ingestion: { integrationExternalId, runId } }
  put(shown, 'statistic', statistic === null ? undefined : toldOf(statistic))
  const document = JSON.stringify(shown)
  return { document, mediaType: 'application/json', digest: digestOf(document) }
}

/** What the source of an ingested asset says, with what people and its integration add. */
export function mergedOf({ document, owner, ingestion }: KnownAsset): ObjectValue {
  const source: Value = JSON.parse(document)
  if (!isObject(source)) throw new Error('a stored asset is no object')
  const given = fieldOf(source, 'info')
  const info: ObjectValue = isObject(given) ? { ...given } : {}
  put(info, 'owner', owner ?? undefined)
  put(info, 'description', ingestion?.description ?? undefined)
  if (ingestion?.isDeleted === true) info['status'] = 'deleted'
  const merged: ObjectValue = { ...source, info }
  put(merged, 'tags', ingestion?.tags ?? undefined)
  return merged
}

function toldOf({ rowCount, sizeBytes, changedAt }: Statistic): ObjectValue | undefined {
  const told: ObjectValue = {}
  put(told, 'rowCount', rowCount ?? undefined)
  put(told, 'sizeBytes', sizeBytes ?? undefined)
  put(told, 'changedAt', changedAt ?? undefined)
  return Object.keys(told).length === 0 ? undefined : told
}
