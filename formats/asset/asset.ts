// An asset is something that holds data on a source platform (a table, a view, a topic), or a container of such things
// (a database, a schema). Connectors of other tools describe assets in documents that they send, and the catalog's own
// connectors make the same documents of what they read. Either is read into the one shape below.

import type { ModelKind } from '../schema/model.ts'

export interface Asset {
  id: string
  /** The display name; the qualified name if there is no other. */
  name: string
  qualifiedName?: string
  /** `<platform>_<kind>`: `postgres_table`; the platform is the source, or a product with its protocol. */
  type: string
  source?: string
  description?: string
  /** External id of the team that owns it; undefined = no team does. */
  ownerTeamId?: string
  /** The asset that contains it. */
  parentId?: string
}

const CONTAINER = /(?:^|_)(?:catalog|database|dataset|namespace|schema)$/

/** Returns whether assets of a type contain others instead of data: `unity_catalog`, `postgres_schema`. */
export function isContainerType(type: string): boolean {
  return CONTAINER.test(type)
}

// Products that are read by the connector of another one, whose name is the source of their assets.
const PRODUCT = /^(cockroachdb|redshift|yugabytedb)_/

/** Returns the product that holds an asset: that of its type, otherwise its source. */
export function getProduct({ type, source }: Asset): string | undefined {
  return source === undefined ? undefined : (PRODUCT.exec(type)?.[1] ?? source)
}

/** Returns the model kind of a type: `postgres_materialized_view` is a view; a table by default. */
export function getModelKind(type: string): ModelKind {
  const word = type.slice(type.lastIndexOf('_') + 1)
  return word === 'view' || word === 'topic' || word === 'file' ? word : 'table'
}
