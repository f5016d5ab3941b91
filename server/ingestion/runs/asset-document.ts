import { hash } from 'node:crypto'
import { assetEntry, type SearchEntry } from '../../documents/search/entry.ts'
import type {
  ForeignKey,
  SourceAsset,
  SourceColumn,
  ViewDependency,
} from '../../connectors/connector.ts'
import type { AssetKind } from '../../connectors/description.ts'

/**
 * Converts a source's table or container to an asset's document, and its native path to the asset's
 * id: the same path in the same integration is the same asset in every run.
 */

/** An asset that a run has seen, ready to be staged. */
export interface SeenAsset {
  /** The id derived from its path. */
  id: string
  parentId: string | null
  /** Native path and scope as JSON lists: the exact spelling is the identity. */
  path: string
  scope: string
  kind: AssetKind
  /** The platform's id, with the scope in which it is unique. */
  sourceId: string | null
  /** The platform's version of it; null if the platform has none. */
  sourceVersion: string | null
  /** Equal digests mean that the source returned the same asset. */
  digest: string
  /** JSON without `id` and `relationships`, which are known only after the whole listing. */
  document: string
  name: string
  type: string
  /** Creates its entry in the search index, without the id; not called for unchanged assets. */
  entry: () => SearchEntry
  rowCount: number | null
  sizeBytes: number | null
  changedAt: string | null
  changedMeans: string | null
  changeCount: number | null
}

/** The maximum length of a view's definition; longer ones are truncated and marked. */
const VIEW_TEXT_CHARACTERS_MAX = 65_536
const ID_CHARACTERS = 26
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** Properties that the assets of one integration share. */
export interface AssetOrigin {
  integrationId: string
  /** The connector's name: `postgres`. */
  source: string
}

/** Converts an asset of a source. */
export function toSeenAsset(asset: SourceAsset, origin: AssetOrigin): SeenAsset {
  const name = asset.path.at(-1) ?? ''
  const type = `${asset.platform ?? origin.source}_${asset.kind}`
  const qualifiedName = asset.path.map(quotedPart).join('.')
  const document = JSON.stringify({
    info: {
      source: origin.source,
      sourceId: asset.sourceId,
      type,
      name,
      qualifiedName,
      status: 'active',
      description: asset.description === '' ? undefined : asset.description,
    },
    columns: asset.columns && toColumns(asset.columns, asset.primaryKey),
    tags: asset.tags?.length ? asset.tags : undefined,
    custom: toCustom(asset),
  })
  const parent = asset.parent ?? asset.path.slice(0, -1)
  return {
    id: createAssetId(origin, asset.path),
    parentId: parent.length === 0 ? null : createAssetId(origin, parent),
    path: JSON.stringify(asset.path),
    scope: JSON.stringify(asset.scope),
    kind: asset.kind,
    sourceId: getSourceId(asset),
    sourceVersion: asset.version ?? null,
    digest: hash('sha256', document),
    document,
    name,
    type,
    entry: () => toEntry(asset, origin, { name, type, qualifiedName }),
    rowCount: asset.statistic?.rowCount ?? null,
    sizeBytes: asset.statistic?.sizeBytes ?? null,
    changedAt: asset.statistic?.changedAt ?? null,
    changedMeans: asset.statistic?.changedMeans ?? null,
    changeCount: asset.statistic?.changeCount ?? null,
  }
}

// The server is not part of the document, which therefore does not change with it.
function getSourceId({ sourceId, sourceIdScope }: SourceAsset): string | null {
  if (sourceId === undefined) return null
  return sourceIdScope === undefined ? sourceId : `${sourceIdScope}/${sourceId}`
}

function toEntry(
  { description, tags, columns = [] }: SourceAsset,
  { source }: AssetOrigin,
  named: { name: string; type: string; qualifiedName: string },
): SearchEntry {
  const more = { id: '', source, status: 'active', isIngested: true }
  return assetEntry({ ...named, ...more, description, tags, columns })
}

/**
 * Returns the id for a native path in an integration: the platform's name and 26 characters of
 * base32 over integration and path. Each part is preceded by its length, so that different paths
 * differ.
 */
export function createAssetId(
  { integrationId, source }: AssetOrigin,
  path: readonly string[],
): string {
  const identity = [integrationId, ...path].map((part) => `${Buffer.byteLength(part)}:${part}`)
  const digest = hash('sha256', identity.join(''), 'buffer')
  return `${source}-${base32(digest)}`
}

// A part with a dot or a quote is quoted as in SQL, so that different paths differ.
function quotedPart(part: string): string {
  return /["\s.]/.test(part) ? `"${part.replaceAll('"', '""')}"` : part
}

function base32(bytes: Buffer): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff
    bits += 8
    while (bits >= 5 && text.length < ID_CHARACTERS) {
      bits -= 5
      text += BASE32.charAt((value >> bits) & 31)
    }
    if (text.length === ID_CHARACTERS) break
  }
  return text
}

// JSON omits undefined values: for a column, absent and false are equivalent.
function toColumns(
  columns: readonly SourceColumn[],
  primaryKey: readonly string[] = [],
): readonly object[] {
  const keys = primaryKey.length === 0 ? undefined : new Set(primaryKey)
  return columns.map((column) => toColumn(column, keys?.has(column.name) === true))
}

function toColumn(column: SourceColumn, isKey: boolean): object {
  const { default: fallback, generated, baseType, enumValues } = column
  return {
    name: column.name,
    type: column.type,
    description: column.description === '' ? undefined : column.description,
    required: column.required === true ? true : undefined,
    unique: column.unique === true ? true : undefined,
    primaryKey: isKey ? true : undefined,
    properties: column.properties && toColumns(column.properties),
    items: column.items && toColumn(column.items, false),
    tags: column.tags?.length ? column.tags : undefined,
    custom: omitEmpty({ default: fallback, generated, baseType, enumValues }),
  }
}

function omitEmpty(fields: Readonly<Record<string, unknown>>): object | undefined {
  return Object.values(fields).every((value) => value === undefined) ? undefined : fields
}

function toCustom(asset: SourceAsset): object {
  const { viewDefinition } = asset
  const isCut = viewDefinition !== undefined && viewDefinition.length > VIEW_TEXT_CHARACTERS_MAX
  return {
    ...asset.custom,
    ownerName: asset.ownerName,
    viewDefinition: isCut
      ? viewDefinition.slice(0, VIEW_TEXT_CHARACTERS_MAX).toWellFormed()
      : viewDefinition,
    viewDefinitionCut: isCut ? true : undefined,
    partitionColumns: omitEmptyList(asset.partitionColumns),
    primaryKey: omitEmptyList(asset.primaryKey),
    uniqueKeys: omitEmptyList(asset.uniqueKeys),
    foreignKeys: omitEmptyList(asset.foreignKeys?.map(toForeignKey)),
    viewDependencies: omitEmptyList(asset.viewDependencies?.map(toDependency)),
  }
}

function toForeignKey({ columns, references, referencedColumns }: ForeignKey): object {
  return { columns, references, referencedColumns }
}

function toDependency({ references, sourceId, columns }: ViewDependency): object {
  return { references, sourceId, columns: omitEmptyList(columns) }
}

function omitEmptyList<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list?.length ? list : undefined
}
