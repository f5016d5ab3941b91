/** Documents and addresses of every kind of plain record. */

import { PLAIN_RECORDS } from '../formats/record/plain-kinds.ts'
import type { PlainRecordKind } from '../formats/record/plain-record-kind.ts'
import { readJson } from './answers.ts'
import { odps, putOne, type World } from './world.ts'

/** The required fields of each kind that the server does not fill in. */
const REQUIRED: Readonly<Record<string, object>> = {
  connector: { info: { type: 'snowflake' } },
  cost: { name: 'Compute', amount: 12.5, currency: 'EUR' },
  'example-data': { outputPortId: 'out', data: [{ id: 1 }] },
  'notification-channel': {
    name: 'Alerts',
    type: 'slack',
    endpoint: 'https://hooks.chat.example/secret-path',
    enabled: true,
  },
}

/** Finds the kind of plain record of a path of the endpoint table. */
export function findPlainKind(path: string): PlainRecordKind | undefined {
  return PLAIN_RECORDS.find((kind) => {
    const list = getPlainList(kind)
    return path === list || path.startsWith(`${list}/`)
  })
}

/** Returns the path of the list of a kind in the endpoint table. */
export function getPlainList({ holder, collection }: PlainRecordKind): string {
  return holder.by === 'team' ? `/api/teams/{id}/${collection}` : `/api/${collection}`
}

/** Returns the path of a record in the endpoint table. */
export function getPlainRoute(kind: PlainRecordKind): string {
  return `${getPlainList(kind)}/${kind.holder.by === 'team' ? '{channelId}' : '{id}'}`
}

/** Returns the path of a list, or of a record in it; `team` is the team of records that belong to one. */
export function toPlainPath(kind: PlainRecordKind, id?: string, team = 'a'): string {
  const list = getPlainList(kind).replace('{id}', encodeURIComponent(team))
  return id === undefined ? list : `${list}/${encodeURIComponent(id)}`
}

/** Builds a valid plain record. `product` is the data product of kinds that belong to one. */
export function buildPlainRecord(
  { kind, holder, id: idRule }: PlainRecordKind,
  id: string,
  product = 'p',
): Record<string, unknown> {
  return {
    ...(idRule === 'of the client' ? { id } : {}),
    ...(holder.by === 'product' ? { dataProductId: product } : {}),
    ...REQUIRED[kind],
  }
}

/**
 * Stores a plain record; returns its id. If its kind belongs to data products, it first creates one with the same id
 * that the team owns.
 */
export async function addPlainRecord(
  world: World,
  kind: PlainRecordKind,
  { id, team, more }: { id: string; team: string; more?: object },
): Promise<string> {
  if (kind.holder.by === 'product') {
    await putOne(world, 'dataproducts', odps(id, { team: { name: team } }))
  }
  const body = { ...buildPlainRecord(kind, id, id), ...more }
  const isOfServer = kind.id === 'of the server'
  const path = toPlainPath(kind, isOfServer ? undefined : id, team)
  const answer = world.as('O', isOfServer ? 'POST' : 'PUT', path, { body })
  const stored = await readJson<{ id: string }>(answer)
  return stored.id
}
