import type { ObjectValue } from '../../../formats/text/value.ts'
import type { Content, Operation } from './api-document.ts'
import { createExample } from './example.ts'

const dataProduct = (team: string): object => ({
  apiVersion: 'v1.1.0',
  kind: 'DataProduct',
  name: 'My first product',
  status: 'draft',
  team: { name: team },
  outputPorts: [{ name: 'orders', version: '1.0.0', contractId: 'my-first-contract' }],
})

const dataContract = (team: string): object => ({
  apiVersion: 'v3.2.0',
  kind: 'DataContract',
  name: 'My first contract',
  version: '1.0.0',
  status: 'draft',
  team: { name: team },
  schema: [
    {
      name: 'orders',
      logicalType: 'object',
      properties: [{ name: 'order_id', logicalType: 'string', primaryKey: true, required: true }],
    },
  ],
})

const asset = (team: string): object => ({
  info: { name: 'orders', type: 'postgres_table', source: 'postgres', owner: team },
  columns: [{ name: 'order_id', type: 'text', required: true, primaryKey: true }],
})

const newTeam = (): object => ({
  name: 'My team',
  type: 'Team',
  members: [{ emailAddress: 'ada@example.org', role: 'Owner' }],
})

const newKey = (team: string): object => ({
  scope: 'team',
  teamId: team,
  displayName: 'Nightly deploy',
  expiresAt: null,
})

// A standard defines these bodies, or they need more than the OpenAPI document describes.
const OWN: readonly (readonly [string, (team: string) => object])[] = [
  ['/api/dataproducts/', dataProduct],
  ['/api/datacontracts/', dataContract],
  ['/api/assets/', asset],
  ['/api/teams/', newTeam],
  ['/api/api-keys', newKey],
]

/**
 * A body with which an operation can be tried, as text: a small one of its own for documents, owned
 * by `team` and with the id of the path, else one that is made from the shape.
 */
export function createBodyExample(
  { path }: Operation,
  { schema }: Content,
  { schemas, team }: { schemas: ObjectValue; team: string },
): string {
  const own = OWN.find(([start]) => path.startsWith(start))
  const example = own === undefined ? createExample(schema, schemas) : own[1](team)
  return `${JSON.stringify(example, null, 2)}\n`
}
