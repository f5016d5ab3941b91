// Reading an asset's document.

import { canonicalText } from '../shape/canonical.ts'
import { checkId, filled, listObjects } from '../data-product/fields.ts'
import { inspectValue, NOTHING_FOUND, NOWHERE } from '../shape/inspect.ts'
import type { SourceMap, ReadOptions } from '../shape/inspect.ts'
import { Notes, type Problem, sortedProblems } from '../text/problem.ts'
import type { SourceText } from '../text/text.ts'
import { fieldOf, isObject, put, textOf, type Value, valueAt } from '../text/value.ts'
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
  // To find places in the text is the larger part of the work, and most documents are right.
  const first = examine(value, NOWHERE, options)
  if (first.errors.length > 0) {
    return { ok: false, problems: sortedProblems(examine(value, source, options).errors) }
  }
  return {
    ok: true,
    asset: assetOf(value, options.id),
    value,
    get canonical() {
      return canonicalText(value, ASSET)
    },
    get warnings() {
      return sortedProblems(examine(value, source, options).warnings)
    },
  }
}

/** Builds an asset from its document; `id` is the id it is stored under. */
export function assetOf(value: Value, id: string): Asset {
  const info = fieldOf(value, 'info')
  const qualifiedName = filled(fieldOf(info, 'qualifiedName'))
  const asset: Asset = {
    id,
    name: filled(fieldOf(info, 'name')) ?? qualifiedName ?? id,
    type: filled(fieldOf(info, 'type')) ?? '',
  }
  put(asset, 'qualifiedName', qualifiedName)
  put(asset, 'source', filled(fieldOf(info, 'source')))
  put(asset, 'description', filled(fieldOf(info, 'description')))
  put(asset, 'ownerTeamId', filled(fieldOf(info, 'owner')))
  put(asset, 'parentId', parentOf(value))
  return asset
}

function parentOf(value: Value): string | undefined {
  const relationships = listObjects(fieldOf(value, 'relationships'))
  const parent = relationships.find(({ item }) => fieldOf(item, 'relationshipType') === 'parent')
  return parent && filled(fieldOf(parent.item, 'assetId'))
}

function examine(
  value: Value,
  places: SourceMap,
  options: ReadOptions,
): { errors: Problem[]; warnings: Problem[] } {
  const notes = new Notes(places)
  checkId(textOf(fieldOf(value, 'id')), ['id'], options.id, notes)
  checkName(value, notes)
  const findings =
    options.isAccepted === true ? NOTHING_FOUND : inspectValue(value, ASSET, places, options)
  // The reader's messages about a field are more specific than those of its shape.
  const fields = new Set(notes.errors.map(({ field }) => field))
  const others = (problems: Problem[]) => problems.filter(({ field }) => !fields.has(field))
  return { errors: [...others(findings.errors), ...notes.errors], warnings: findings.warnings }
}

function checkName(value: Value, notes: Notes): void {
  const info = fieldOf(value, 'info') ?? null
  if (info === null) notes.error(['info'], `This field is missing; ${NAME_ADVICE}`)
  if (!isObject(info)) return
  const names = ['name', 'qualifiedName'].map((name) => valueAt(info, [name]) ?? null)
  if (names.every((name) => name === null)) {
    notes.error(['info', 'name'], `This field is missing; ${NAME_ADVICE}`)
  } else if (names.every((name) => name === null || textOf(name)?.trim() === '')) {
    const field = names[0] === null ? 'qualifiedName' : 'name'
    notes.error(['info', field], `This field is blank; ${NAME_ADVICE}`)
  }
}
