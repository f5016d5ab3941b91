import { z } from 'zod'
import {
  CHANGE_MEANINGS,
  FINDING_STATES,
  PRESENCES,
  type Scope,
  type SourceAsset,
  type SourceColumn,
  type Statistic,
} from '../connector.ts'
import { ASSET_KINDS } from '../description.ts'
import { DETAIL_CHARACTERS_MAX } from '../scopes.ts'
import { sourceFailure } from './failure-data.ts'

/**
 * The shapes of a source's contents, as reported by the process that reads it. A source may have
 * compromised that process, so everything is bounded: counts by these shapes, texts by the length
 * of a frame, and the depth of nested columns by `isColumn`.
 */

/** The maximum number of scopes or assets in one reply. */
export const ITEMS_MAX = 10_000

/** The maximum number of columns of an asset, and of completely visible tables of a scope. */
export const COLUMNS_MAX = 100_000
const DEPTH_MAX = 100
/** The maximum number of characters of a message. */
export const SENTENCE_CHARACTERS_MAX = 5000
const VERSION_CHARACTERS_MAX = 1000
const DETAIL_NAME_CHARACTERS_MAX = 50

const sentence = z.string().max(SENTENCE_CHARACTERS_MAX)
const texts = z.array(z.string()).max(COLUMNS_MAX)

/** A native path: `['sales', 'public', 'orders']`. */
export const path = z.array(z.string()).min(1).max(10)

// Validated without zod, which takes four times as long as JSON.parse: most of a run's data is
// columns.
const sourceColumn = z.custom<SourceColumn>((value) => isColumn(value, 0), 'is not a column')

const isText = (value: unknown): boolean => typeof value === 'string'
const isFlag = (value: unknown): boolean => typeof value === 'boolean'

type Check = (value: unknown, depth: number) => boolean

const COLUMN_FIELDS: Record<keyof SourceColumn, Check> = {
  name: isText,
  type: isText,
  description: isText,
  required: isFlag,
  unique: isFlag,
  baseType: isText,
  enumValues: (value) => isListWith(value, isText),
  default: isText,
  generated: isText,
  properties: (value, depth) => isListWith(value, (one) => isColumn(one, depth)),
  items: (value, depth) => isColumn(value, depth),
  tags: (value) => isListWith(value, isText),
}
const COLUMN_CHECKS = new Map<string, Check>(Object.entries(COLUMN_FIELDS))

function isColumn(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return false
  if (!Object.hasOwn(value, 'name') || !Object.hasOwn(value, 'type')) return false
  for (const field in value) {
    const isField = COLUMN_CHECKS.get(field)
    if (isField === undefined || !isField(Reflect.get(value, field), depth + 1)) return false
  }
  return true
}

function isListWith(value: unknown, isOne: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length <= COLUMNS_MAX && value.every(isOne)
}

const foreignKey = z.strictObject({ columns: texts, references: path, referencedColumns: texts })

const statistic = z.strictObject({
  rowCount: z.number().exactOptional(),
  sizeBytes: z.number().exactOptional(),
  changedAt: z.string().max(100).exactOptional(),
  changedMeans: z.enum(CHANGE_MEANINGS).exactOptional(),
  changeCount: z.int().exactOptional(),
} satisfies Record<keyof Statistic, z.ZodType>)

const viewDependency = z.strictObject({
  references: path,
  sourceId: z.string().exactOptional(),
  columns: texts.exactOptional(),
})

// Add new fields of connectors here: unknown fields are rejected.
const ASSET_FIELDS = {
  kind: z.enum(ASSET_KINDS),
  platform: z
    .string()
    .regex(/^[a-z][a-z0-9]{0,31}$/)
    .exactOptional(),
  path,
  parent: path.exactOptional(),
  scope: path,
  sourceId: z.string().exactOptional(),
  sourceIdScope: z.string().exactOptional(),
  version: z.string().max(VERSION_CHARACTERS_MAX).exactOptional(),
  description: z.string().exactOptional(),
  ownerName: z.string().exactOptional(),
  columns: z.array(sourceColumn).max(COLUMNS_MAX).exactOptional(),
  primaryKey: texts.exactOptional(),
  foreignKeys: z.array(foreignKey).max(COLUMNS_MAX).exactOptional(),
  uniqueKeys: z.array(texts).max(COLUMNS_MAX).exactOptional(),
  viewDefinition: z.string().exactOptional(),
  viewDependencies: z.array(viewDependency).max(COLUMNS_MAX).exactOptional(),
  partitionColumns: texts.exactOptional(),
  tags: texts.exactOptional(),
  custom: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).exactOptional(),
  statistic: statistic.exactOptional(),
} satisfies Record<keyof SourceAsset, z.ZodType>

const sourceAsset: z.ZodType<SourceAsset> = z.strictObject(ASSET_FIELDS)

const ASSET_PLACE = { path, scope: path, kind: z.enum(ASSET_KINDS) }

/** A batch of assets, with its failures as data. */
export const batch = z.strictObject({
  assets: z.array(sourceAsset).max(ITEMS_MAX),
  outcomes: z
    .array(
      z.strictObject({
        path,
        failure: sourceFailure.exactOptional(),
        whole: z.array(path).max(COLUMNS_MAX).exactOptional(),
      }),
    )
    .max(ITEMS_MAX)
    .exactOptional(),
  unreadable: z
    .array(z.strictObject({ ...ASSET_PLACE, message: sentence }))
    .max(ITEMS_MAX)
    .exactOptional(),
  unchanged: z
    .array(z.strictObject({ ...ASSET_PLACE, statistic: statistic.exactOptional() }))
    .max(ITEMS_MAX)
    .exactOptional(),
})

/** Tables to ask for by name. */
export const assetPlaces = z.array(z.strictObject(ASSET_PLACE)).max(ITEMS_MAX)

/** The answers to them. */
export const tableProofs = z
  .array(z.strictObject({ path, presence: z.enum(PRESENCES), message: sentence.exactOptional() }))
  .max(ITEMS_MAX)

/** Known versions of assets, by their paths. */
export const knownVersions = z.array(z.tuple([z.string(), z.string()])).max(ITEMS_MAX)

/** A scope of a listing. */
export const scope: z.ZodType<Scope> = z.strictObject({
  path,
  kind: z.enum(['catalog', 'database', 'schema', 'namespace', 'table']),
  reading: z.string(),
  decision: z.enum(['included', 'excluded', 'denied']),
  message: sentence.exactOptional(),
  details: z
    .record(z.string().max(DETAIL_NAME_CHARACTERS_MAX), z.string().max(DETAIL_CHARACTERS_MAX))
    .exactOptional(),
})

/** The findings of a check. */
export const findings = z
  .array(
    z.strictObject({
      state: z.enum(FINDING_STATES),
      what: sentence,
      hint: sentence.exactOptional(),
      fix: z.strictObject({ title: sentence, field: sentence, value: sentence }).exactOptional(),
    }),
  )
  .max(1000)
