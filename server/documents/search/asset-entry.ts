import { buildAsset } from '../../../formats/asset/read.ts'
import { nonBlankText, listObjects, listTexts } from '../../../formats/data-product/fields.ts'
import { getField, isObject, type Value } from '../../../formats/text/value.ts'
import { assetEntry, withAddition } from './entry.ts'
import type { Addition, SearchedColumn, SearchEntry } from './entry.ts'

/** Builds the search entry of an asset from its document; the id of an ingested asset was generated. */
export function documentEntry(document: Value, id: string, isIngested: boolean): SearchEntry {
  const asset = buildAsset(document, id)
  return assetEntry({
    ...asset,
    status: nonBlankText(getField(getField(document, 'info'), 'status')),
    tags: listTexts(getField(document, 'tags')),
    columns: toColumns(getField(document, 'columns')),
    isIngested,
  })
}

/** Builds the entry of an ingested asset from its document (JSON) and the additions of people. */
export function ingestedEntry(id: string, document: string, added: Addition): SearchEntry {
  const value: Value = JSON.parse(document)
  return withAddition(documentEntry(value, id, true), added)
}

function toColumns(columns: Value | undefined): SearchedColumn[] {
  return listObjects(columns).map(({ item }) => toColumn(item))
}

// Clients describe the items of an array as a column, or as a list with one column.
function toColumn(column: Value): SearchedColumn {
  const given = getField(column, 'items')
  const items = Array.isArray(given) ? given[0] : given
  return {
    name: nonBlankText(getField(column, 'name')),
    description: nonBlankText(getField(column, 'description')),
    classification: nonBlankText(getField(column, 'classification')),
    properties: Array.isArray(getField(column, 'properties'))
      ? toColumns(getField(column, 'properties'))
      : undefined,
    items: isObject(items) ? toColumn(items) : undefined,
  }
}
