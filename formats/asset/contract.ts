// Drafts data contracts (ODCS v3.2.0) from assets: the facts of the source, written as a team would promise
// them. The team edits and registers the draft.

import { toOdcsServer } from '../data-contract/convert/servers.ts'
import { getServerType, readServer } from '../data-contract/contract-fields.ts'
import { OdcsWriter, type OdcsVersion } from '../data-contract/odcs/write.ts'
import { getServerPlatform } from '../schema/types/platform.ts'
import { getField, type ObjectValue, put, asText, type Value } from '../text/value.ts'
import { getProduct, type Asset } from './asset.ts'
import { assetModel } from './model.ts'

const VERSION: OdcsVersion = 'v3.2.0'
const FIRST_VERSION = '0.1.0'

// What the standard calls the servers of a source, where that is not the name of the source itself.
const SERVER_TYPES: ReadonlyMap<string, string> = new Map([
  ['mariadb', 'mysql'],
  ['mssql', 'sqlserver'],
  ['fabric', 'sqlserver'],
  ['unity', 'databricks'],
])

// Where data is, by the names that assets and servers share.
const LOCATION_FIELDS = [
  'host',
  'port',
  'account',
  'project',
  'catalog',
  'database',
  'dataset',
  'schema',
  'warehouse',
  'location',
  'format',
  'region',
]

/**
 * Drafts a contract about an asset. `tables` are the documents of its tables, or only its own. The draft has
 * the asset's id and owner, status `draft`, a server if the asset has an address, and one schema object per
 * table. It is valid by the official schema.
 */
export function draftContract(asset: Asset, tables: readonly Value[]): ObjectValue {
  const server = getServer(asset, tables[0] ?? null)
  const draft: ObjectValue = {
    apiVersion: VERSION,
    kind: 'DataContract',
    id: asset.id,
    name: asset.name,
    version: FIRST_VERSION,
    status: 'draft',
  }
  if (asset.description !== undefined) draft['description'] = { purpose: asset.description }
  if (asset.ownerTeamId !== undefined) draft['team'] = { name: asset.ownerTeamId }
  put(draft, 'servers', server && [server])
  const writer = new OdcsWriter(
    getServerPlatform(getType(server)),
    (of, part) => {
      // The standard requires the physical name, even if it is the same.
      if ('kind' in of) part.set('physicalName', of.physicalName ?? of.name)
    },
    VERSION,
  )
  draft['schema'] = tables.map((table) => writer.model(assetModel(table)))
  return draft
}

function getServer(asset: Asset, table: Value): ObjectValue | undefined {
  const product = getProduct(asset)
  if (product === undefined) return undefined
  const custom = getField(table, 'custom')
  const raw: ObjectValue = { type: SERVER_TYPES.get(product.toLowerCase()) ?? product }
  for (const name of LOCATION_FIELDS) put(raw, name, getLocation(name, getField(custom, name)))
  return toOdcsServer(product, raw)
}

function getLocation(name: string, value: Value | undefined): Value | undefined {
  const isPort = name === 'port' && typeof value === 'string' && /^\d{1,5}$/.test(value)
  if (isPort) return Number(value)
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

function getType(server: ObjectValue | undefined): string | undefined {
  if (server === undefined) return undefined
  return getServerType(readServer(asText(getField(server, 'server')) ?? '', server, ''))
}
