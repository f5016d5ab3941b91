/** The documents of a mesh. */

import type { Value } from '../../formats/text/value.ts'
import { toContractId, type MeshThing, type Subject } from './mesh.ts'

const COMMON_COLUMNS = ['id', 'created_at', 'updated_at', 'source_system']

function getColumns({ entity }: Subject): string[] {
  return [`${entity.words.join('_')}_id`, ...COMMON_COLUMNS, ...entity.columns]
}

/** Creates the document of a product, with or without a contract on its output port. */
export function productDocument(product: MeshThing, hasContract: boolean): object {
  const { id, name, entity, purpose, tag, team } = product
  return {
    apiVersion: 'v1.0.0',
    kind: 'DataProduct',
    id,
    name,
    status: 'active',
    domain: entity.domain,
    tags: tag === undefined ? [] : [tag],
    description: { purpose },
    team: { name: `team-${team.toLowerCase()}` },
    outputPorts: [
      { name: 'main', version: '1.0.0', ...(hasContract ? { contractId: toContractId(id) } : {}) },
    ],
  }
}

/** Creates the document of a contract. */
export function contractDocument(contract: MeshThing): object {
  const { id, name, entity, team } = contract
  const properties = getColumns(contract).map((column) => ({ name: column, logicalType: 'string' }))
  return {
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    id,
    name,
    version: '1.0.0',
    status: 'active',
    domain: entity.domain,
    team: { name: `team-${team.toLowerCase()}` },
    schema: [{ name: entity.words.join('_'), properties }],
  }
}

/** Creates the document of an asset. */
export function assetDocument(asset: MeshThing): Value {
  const { id, name, platform, qualifiedName } = asset
  const columns = getColumns(asset).map((column) => ({ name: column, type: 'text' }))
  const source = platform?.source ?? ''
  return {
    id,
    info: {
      source,
      type: `${source}_table`,
      name,
      qualifiedName: qualifiedName ?? name,
      status: 'active',
    },
    columns,
  }
}
