// What exists: the table or view of an asset, read once and compared with every promise that is linked with it.

import { getProduct } from '../asset/asset.ts'
import { assetModel } from '../asset/model.ts'
import { buildAsset } from '../asset/read.ts'
import { listObjects, listTexts, nonBlankText } from '../data-product/fields.ts'
import type { Field, ModelKind } from '../schema/model.ts'
import type { Platform } from '../schema/types/native-type.ts'
import { getServerPlatform } from '../schema/types/platform.ts'
import { getField, type Value } from '../text/value.ts'

/** The table or view of an asset. */
export interface ActualModel {
  kind: ModelKind
  /** The product that holds it: `postgres`, `redshift`; undefined if its document gives no source. */
  product: string | undefined
  /** The platform of its types; undefined if they have no table. */
  platform: Platform | undefined
  columns: readonly ActualColumn[]
  /** Whether its document lists columns at all: a topic that a client registered may be only a name. */
  hasColumns: boolean
  /** The names of the columns of the primary key; empty = none is declared. */
  primaryKey: readonly string[]
  /** The keys that make columns unique without others. */
  uniqueColumns: ReadonlySet<string>
}

/** A column as its platform reports it, with the type that its named type is based on. */
export interface ActualColumn {
  field: Field
  /** The text of the base type of a domain or alias; undefined = the type has none. */
  baseType: string | undefined
}

/** Reads the table or view of an asset from its document. */
export function readActual(document: Value): ActualModel {
  const model = assetModel(document)
  const asset = buildAsset(document, '')
  const product = getProduct(asset)?.toLowerCase()
  const bases = new Map<string, string>()
  for (const { item, at } of listObjects(getField(document, 'columns'))) {
    const base = nonBlankText(getField(getField(item, 'custom'), 'baseType'))
    if (base !== undefined) bases.set(`/columns/${at}`, base)
  }
  return {
    kind: model.kind,
    product,
    platform: getServerPlatform(asset.source),
    hasColumns: Array.isArray(getField(document, 'columns')),
    columns: model.fields.map((field) => ({ field, baseType: bases.get(field.origin) })),
    primaryKey: model.primaryKey,
    uniqueColumns: listUnique(document, model.fields),
  }
}

// A list of keys may have one of a single column.
function listUnique(document: Value, fields: readonly Field[]): ReadonlySet<string> {
  const unique = new Set(fields.filter((field) => field.unique).map(({ name }) => name))
  const keys = getField(getField(document, 'custom'), 'uniqueKeys')
  for (const key of Array.isArray(keys) ? keys : []) {
    const [name, ...others] = listTexts(key)
    if (name !== undefined && others.length === 0) unique.add(name)
  }
  return unique
}
