// The fields of an asset's document. No standard describes it; these are the fields that clients send. Other
// fields are allowed.

import { any, choice, flag, list, map, object, oneOf, set, text } from '../shape/shape.ts'
import type { ObjectShape, Shape } from '../shape/shape.ts'

// Columns hold columns; what an array holds needs no name.
const nested: Shape = choice(() => COLUMN)
const item: Shape = choice(() => ITEM)

const COLUMN_FIELDS: { readonly [name: string]: Shape } = {
  name: text(),
  type: text(),
  description: text(),
  required: flag,
  unique: flag,
  primaryKey: flag,
  properties: list(nested),
  // Clients write what an array holds as one column, or as a list of one.
  items: oneOf(item, list(item)),
  tags: set(text()),
  links: map(any),
  custom: map(any),
}

const COLUMN: ObjectShape = object({ fields: COLUMN_FIELDS, required: ['name', 'type'] })

const ITEM: ObjectShape = object({ fields: COLUMN_FIELDS, required: ['type'] })

const INFO = object({
  fields: {
    owner: text(),
    source: text(),
    sourceId: text(),
    sourceUrl: text(),
    type: text(),
    name: text(),
    qualifiedName: text(),
    version: text(),
    status: text(),
    description: text(),
  },
  recommended: ['type', 'source'],
})

const RELATIONSHIP = object({
  fields: { relationshipType: text(), assetId: text() },
  required: ['relationshipType', 'assetId'],
})

/** An asset's document. */
export const ASSET: ObjectShape = object({
  fields: {
    id: text(),
    info: INFO,
    properties: map(any),
    custom: map(any),
    columns: list(COLUMN),
    relationships: set(RELATIONSHIP),
    tags: set(text()),
    links: map(any),
  },
})
