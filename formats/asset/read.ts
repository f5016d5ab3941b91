// Reading an asset's document.

import { canonicalText } from '../shape/canonical.ts'
import { checkId, nonBlankText, listObjects } from '../data-product/fields.ts'
import type { ReadOptions } from '../shape/inspect.ts'
import { readDocument } from '../shape/read-document.ts'
import type { Notes, Problem } from '../text/problem.ts'
import type { SourceText } from '../text/text.ts'
import { getField, isObject, put, asText, type Value, valueAt } from '../text/value.ts'
import { ASSET } from './asset-shape.ts'
import type { Asset } from './asset.ts'

/** A document that was read, or every reason why it was not, sorted by field. */
export type AssetReading =
  | { ok: true; asset: Asset; value: Value; canonical: string; warnings: Problem[] }
  | { ok: false; problems: Problem[] }

const NAME_ADVICE = 'give the asset a name or a qualifiedName.'

/**
 * Reads an asset's document. `id` is the id it is stored under; a document with another id is rejected. It
 * needs `info` with a `name` or `qualifiedName`; all else is optional, and unknown fields are ignored.
 * `strict` turns deviations from warnings into errors. Returns all problems, sorted by field. Never throws.
 */
export function readAsset(source: SourceText, options: ReadOptions): AssetReading {
  const { value } = source
  const document = readDocument(source, options, (notes) => ({
    shape: ASSET,
    read: () => {
      checkId(asText(getField(value, 'id')), ['id'], options.id, notes)
      checkName(value, notes)
      return buildAsset(value, options.id)
    },
  }))
  if (!document.ok) return document
  const { content, getWarnings } = document
  return {
    ok: true,
    asset: content,
    value,
    get canonical() {
      return canonicalText(value, ASSET)
    },
    get warnings() {
      return getWarnings()
    },
  }
}

/** Builds an asset from its document; `id` is the id it is stored under. */
export function buildAsset(value: Value, id: string): Asset {
  const info = getField(value, 'info')
  const qualifiedName = nonBlankText(getField(info, 'qualifiedName'))
  const asset: Asset = {
    id,
    name: nonBlankText(getField(info, 'name')) ?? qualifiedName ?? id,
    type: nonBlankText(getField(info, 'type')) ?? '',
  }
  put(asset, 'qualifiedName', qualifiedName)
  put(asset, 'source', nonBlankText(getField(info, 'source')))
  put(asset, 'description', nonBlankText(getField(info, 'description')))
  put(asset, 'ownerTeamId', nonBlankText(getField(info, 'owner')))
  put(asset, 'parentId', getParent(value))
  return asset
}

function getParent(value: Value): string | undefined {
  const relationships = listObjects(getField(value, 'relationships'))
  const parent = relationships.find(({ item }) => getField(item, 'relationshipType') === 'parent')
  return parent && nonBlankText(getField(parent.item, 'assetId'))
}

function checkName(value: Value, notes: Notes): void {
  const info = getField(value, 'info') ?? null
  if (info === null) notes.error(['info'], `This field is missing; ${NAME_ADVICE}`)
  if (!isObject(info)) return
  const names = ['name', 'qualifiedName'].map((name) => valueAt(info, [name]) ?? null)
  if (names.every((name) => name === null)) {
    notes.error(['info', 'name'], `This field is missing; ${NAME_ADVICE}`)
  } else if (names.every((name) => name === null || asText(name)?.trim() === '')) {
    const field = names[0] === null ? 'qualifiedName' : 'name'
    notes.error(['info', field], `This field is blank; ${NAME_ADVICE}`)
  }
}
