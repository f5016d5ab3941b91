import { assetOf } from '../../formats/asset/read.ts'
import { filled, objectsOf, textsOf } from '../../formats/data-product/fields.ts'
import { fieldOf, isObject, type Value } from '../../formats/text/value.ts'
import { assetEntry, withAddition } from './entry.ts'
import type { Addition, SearchedColumn, SearchEntry } from './entry.ts'

/** The entry of an asset by its document; an ingested one has an id that the catalog made. */
export function documentEntry(document: Value, id: string, isIngested: boolean): SearchEntry {
  const asset = assetOf(document, id)
  return assetEntry({
    ...asset,
    status: filled(fieldOf(fieldOf(document, 'info'), 'status')),
    tags: textsOf(fieldOf(document, 'tags')),
    columns: columnsIn(fieldOf(document, 'columns')),
    isIngested,
  })
}

/** The entry of an ingested asset: by what its source says (JSON), and by what people added. */
export function ingestedEntry(id: string, document: string, added: Addition): SearchEntry {
  const value: Value = JSON.parse(document)
  return withAddition(documentEntry(value, id, true), added)
}

function columnsIn(columns: Value | undefined): SearchedColumn[] {
  return objectsOf(columns).map(({ item }) => columnOf(item))
}

// Clients write what an array holds as one column, or as a list of one.
function columnOf(column: Value): SearchedColumn {
  const given = fieldOf(column, 'items')
  const items = Array.isArray(given) ? given[0] : given
  return {
    name: filled(fieldOf(column, 'name')),
    description: filled(fieldOf(column, 'description')),
    classification: filled(fieldOf(column, 'classification')),
    properties: Array.isArray(fieldOf(column, 'properties'))
      ? columnsIn(fieldOf(column, 'properties'))
      : undefined,
    items: isObject(items) ? columnOf(items) : undefined,
  }
}
