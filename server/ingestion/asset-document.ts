import { hash } from 'node:crypto'
import { assetEntry, type SearchEntry } from '../search/entry.ts'
import type {
  AssetKind,
  ForeignKey,
  SourceAsset,
  SourceColumn,
  ViewDependency,
} from '../connectors/connector.ts'

/**
 * What a source says of a table or container becomes an asset's document here, and its native path
 * becomes the asset's id: the same path of the same integration is the same asset, in every run.
 */

/** An asset as a run has seen it, ready to be staged. */
export interface SeenAsset {
  /** The id that its path gives it. */
  id: string
  parentId: string | null
  /** Native path and scope as JSON lists: the exact spelling is the identity. */
  path: string
  scope: string
  kind: AssetKind
  /** The platform's own id, with the scope in which it is unique. */
  sourceId: string | null
  /** Equal digests mean that the source says the same. */
  digest: string
  /** JSON without `id` and `relationships`, which are known only when all was seen. */
  document: string
  name: string
  type: string
  /** What search knows of it, but for its id; of what is unchanged nobody asks for it. */
  entry: () => SearchEntry
  rowCount: number | null
  sizeBytes: number | null
  changedAt: string | null
}

/** Kinds that hold others. */
export const CONTAINER_KINDS: readonly AssetKind[] = ['database', 'schema', 'namespace']

/** Bytes of a view's text at most; more is cut, and said. */
const VIEW_TEXT_CHARACTERS_MAX = 65_536
const ID_CHARACTERS = 26
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** What the assets of one integration share. */
export interface AssetOrigin {
  integrationId: string
  /** The connector's name: `postgres`. */
  source: string
}

/** Gives what a source says of one thing as an asset. */
export function seenAsset(asset: SourceAsset, origin: AssetOrigin): SeenAsset {
  const name = asset.path.at(-1) ?? ''
  const type = `${origin.source}_${asset.kind}`
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
    columns: asset.columns && columnsOf(asset.columns, asset.primaryKey),
    tags: asset.tags?.length ? asset.tags : undefined,
    custom: customOf(asset),
  })
  const parent = asset.parent ?? asset.path.slice(0, -1)
  return {
    id: assetIdOf(origin, asset.path),
    parentId: parent.length === 0 ? null : assetIdOf(origin, parent),
    path: JSON.stringify(asset.path),
    scope: JSON.stringify(asset.scope),
    kind: asset.kind,
    sourceId: sourceIdOf(asset),
    digest: hash('sha256', document),
    document,
    name,
    type,
    entry: () => entryOf(asset, origin, { name, type, qualifiedName }),
    rowCount: asset.statistic?.rowCount ?? null,
    sizeBytes: asset.statistic?.sizeBytes ?? null,
    changedAt: asset.statistic?.changedAt ?? null,
  }
}

// The catalog keeps more than the document shows: the document need not change with the server.
function sourceIdOf({ sourceId, sourceIdScope }: SourceAsset): string | null {
  if (sourceId === undefined) return null
  return sourceIdScope === undefined ? sourceId : `${sourceIdScope}/${sourceId}`
}

function entryOf(
  { description, tags, columns = [] }: SourceAsset,
  { source }: AssetOrigin,
  named: { name: string; type: string; qualifiedName: string },
): SearchEntry {
  const more = { id: '', source, status: 'active', isIngested: true }
  return assetEntry({ ...named, ...more, description, tags, columns })
}

/**
 * The id of what has a native path in an integration: the platform's name and 26 characters of
 * base32 over integration and path. Each part is preceded by its length, so that no two paths read
 * the same.
 */
export function assetIdOf({ integrationId, source }: AssetOrigin, path: readonly string[]): string {
  const identity = [integrationId, ...path].map((part) => `${Buffer.byteLength(part)}:${part}`)
  const digest = hash('sha256', identity.join(''), 'buffer')
  return `${source}-${base32(digest)}`
}

// A part with a dot or a quote in it is quoted as SQL does: two paths never read the same.
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

// What JSON leaves out is undefined here: absent and false mean the same of a column.
function columnsOf(
  columns: readonly SourceColumn[],
  primaryKey: readonly string[] = [],
): readonly object[] {
  const keys = primaryKey.length === 0 ? undefined : new Set(primaryKey)
  return columns.map((column) => columnOf(column, keys?.has(column.name) === true))
}

function columnOf(column: SourceColumn, isKey: boolean): object {
  const { default: fallback, generated, baseType, enumValues } = column
  return {
    name: column.name,
    type: column.type,
    description: column.description === '' ? undefined : column.description,
    required: column.required === true ? true : undefined,
    unique: column.unique === true ? true : undefined,
    primaryKey: isKey ? true : undefined,
    properties: column.properties && columnsOf(column.properties),
    items: column.items && columnOf(column.items, false),
    tags: column.tags?.length ? column.tags : undefined,
    custom: filledOf({ default: fallback, generated, baseType, enumValues }),
  }
}

function filledOf(fields: Readonly<Record<string, unknown>>): object | undefined {
  return Object.values(fields).every((value) => value === undefined) ? undefined : fields
}

function customOf(asset: SourceAsset): object {
  const { viewDefinition } = asset
  const isCut = viewDefinition !== undefined && viewDefinition.length > VIEW_TEXT_CHARACTERS_MAX
  return {
    ...asset.custom,
    ownerName: asset.ownerName,
    viewDefinition: isCut
      ? viewDefinition.slice(0, VIEW_TEXT_CHARACTERS_MAX).toWellFormed()
      : viewDefinition,
    viewDefinitionCut: isCut ? true : undefined,
    partitionColumns: listOf(asset.partitionColumns),
    primaryKey: listOf(asset.primaryKey),
    uniqueKeys: listOf(asset.uniqueKeys),
    foreignKeys: listOf(asset.foreignKeys?.map(foreignKeyOf)),
    viewDependencies: listOf(asset.viewDependencies?.map(dependencyOf)),
  }
}

function foreignKeyOf({ columns, references, referencedColumns }: ForeignKey): object {
  return { columns, references, referencedColumns }
}

function dependencyOf({ references, sourceId, columns }: ViewDependency): object {
  return { references, sourceId, columns: listOf(columns) }
}

function listOf<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list?.length ? list : undefined
}
