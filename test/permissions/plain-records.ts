/** The rows of the permission matrix for every kind of plain record. */

import type { PlainRecordKind } from '../../formats/record/plain-record-kind.ts'
import type { PermissionRow, RequestMaker } from './requests.ts'
import {
  OF_B,
  OF_UNKNOWN_TEAM,
  READ,
  RESOURCE_OF_A,
  TEAM_OF_A,
  UNKNOWN,
  UNKNOWN_READ,
  UNKNOWN_TEAM,
} from './statuses.ts'
import { readJson } from '../answers.ts'
import { buildPlainRecord, getPlainList, getPlainRoute, toPlainPath } from '../plain-records.ts'
import { expectOk, odps, putOne, uniqueId, type World } from '../world.ts'

type Team = 'a' | 'b'

/** Lists the actions on the records of a kind. */
export function listPlainRows(kind: PlainRecordKind): PermissionRow[] {
  const common = [
    row(kind, 'GET', 'an unknown id', UNKNOWN_READ, missing(kind)),
    row(kind, 'DELETE', 'an unknown id', UNKNOWN, missing(kind)),
  ]
  const rows = { key: listKeyRows, product: listProductRows, team: listTeamRows }[kind.holder.by](
    kind,
  )
  // The server makes the ids of some kinds: their records can only be created, listed and deleted.
  const isOfServer = kind.id === 'of the server'
  return [...common, ...rows].filter(
    ({ route }) => !isOfServer || !/^(?:GET|PUT) .*\}$/.test(route),
  )
}

function listKeyRows(kind: PlainRecordKind): PermissionRow[] {
  const list = listRow(kind, READ, async () => ({ path: toPlainPath(kind) }))
  return [
    list,
    row(kind, 'GET', 'of A', READ, existing('T')),
    row(kind, 'PUT', 'a new one', TEAM_OF_A, async () => newRecord(kind)),
    row(kind, 'PUT', 'of A', RESOURCE_OF_A, changed('T')),
    row(kind, 'PUT', 'of no team', OF_B, changed('O')),
    row(kind, 'DELETE', 'of A', RESOURCE_OF_A, existing('T')),
    row(kind, 'DELETE', 'of no team', OF_B, existing('O')),
  ]

  function existing(creator: 'T' | 'O'): RequestMaker {
    return async (world) => {
      const { path, body } = newRecord(kind)
      await expectOk(world.as(creator, 'PUT', path, { body }))
      return { path }
    }
  }

  function changed(creator: 'T' | 'O'): RequestMaker {
    return async (world) => ({ ...(await existing(creator)(world)), body: { custom: {} } })
  }
}

function listProductRows(kind: PlainRecordKind): PermissionRow[] {
  const isOfServer = kind.id === 'of the server'
  return [
    listRow(kind, READ, async (world) => {
      return { path: `${toPlainPath(kind)}?dataProductId=${await addProduct(world, 'b')}` }
    }),
    row(kind, 'GET', 'of B', READ, existing('b')),
    ...(['a', 'b'] as const).flatMap((team) => {
      const [name, statuses] = [team.toUpperCase(), team === 'a' ? RESOURCE_OF_A : OF_B]
      return [
        row(kind, 'PUT', `a new one of ${name}`, statuses, newOne(team)),
        row(kind, 'POST', `one of ${name}`, statuses, newOne(team)),
        row(kind, 'PUT', `one of ${name}`, statuses, moved(team, team)),
        row(kind, 'DELETE', `of ${name}`, statuses, existing(team)),
      ]
    }),
    row(kind, 'PUT', 'from A to B', OF_B, moved('a', 'b')),
    row(kind, 'PUT', 'from B to A', OF_B, moved('b', 'a')),
    row(kind, isOfServer ? 'POST' : 'PUT', 'of an unknown product', UNKNOWN_TEAM, async () =>
      newRecord(kind, uniqueId()),
    ),
  ].filter(({ route }) => isOfServer || !route.startsWith('POST'))

  function newOne(team: Team): RequestMaker {
    return async (world) => newRecord(kind, await addProduct(world, team))
  }

  function existing(team: Team): RequestMaker {
    return async (world) => {
      const { path, body } = newRecord(kind, await addProduct(world, team))
      if (!isOfServer) {
        await expectOk(world.as('O', 'PUT', path, { body }))
        return { path }
      }
      const { id } = await readJson<{ id: string }>(world.as('O', 'POST', path, { body }))
      return { path: `${path}/${id}` }
    }
  }

  function moved(from: Team, to: Team): RequestMaker {
    return async (world) => {
      const { path } = await existing(from)(world)
      const { body } = newRecord(kind, await addProduct(world, to))
      return { path, body: { ...body, id: undefined } }
    }
  }
}

function listTeamRows(kind: PlainRecordKind): PermissionRow[] {
  const unknown = uniqueId()
  return [
    listRow(kind, READ, async () => ({ path: toPlainPath(kind, undefined, 'b') })),
    listRow(kind, UNKNOWN_READ, async () => ({ path: toPlainPath(kind, undefined, unknown) })),
    row(kind, 'GET', 'of B', READ, existing('b')),
    ...(['a', 'b'] as const).flatMap((team) => {
      const [name, statuses] = [team.toUpperCase(), team === 'a' ? TEAM_OF_A : OF_B]
      return [
        row(kind, 'PUT', `a new one of ${name}`, statuses, async () => newRecord(kind, '', team)),
        row(kind, 'PUT', `one of ${name}`, statuses, async (world) => {
          const { path } = await existing(team)(world)
          return { path, body: { ...buildPlainRecord(kind, ''), id: undefined, custom: {} } }
        }),
        row(kind, 'DELETE', `of ${name}`, statuses, existing(team)),
      ]
    }),
    row(kind, 'PUT', 'of an unknown team', OF_UNKNOWN_TEAM, async () =>
      newRecord(kind, '', unknown),
    ),
  ]

  function existing(team: Team): RequestMaker {
    return async (world) => {
      const { path, body } = newRecord(kind, '', team)
      await expectOk(world.as('O', 'PUT', path, { body }))
      return { path }
    }
  }
}

function newRecord(
  kind: PlainRecordKind,
  product = '',
  team = 'a',
): { path: string; body: Record<string, unknown> } {
  const id = uniqueId()
  const path = toPlainPath(kind, kind.id === 'of the server' ? undefined : id, team)
  return { path, body: buildPlainRecord(kind, id, product) }
}

async function addProduct(world: World, team: Team): Promise<string> {
  const id = uniqueId()
  await putOne(world, 'dataproducts', odps(id, { team: { name: team } }))
  return id
}

function row(
  kind: PlainRecordKind,
  method: string,
  action: string,
  statuses: string,
  request: RequestMaker,
): PermissionRow {
  const path = method === 'POST' ? getPlainList(kind) : getPlainRoute(kind)
  return { route: `${method} ${path}`, action, statuses, request }
}

function listRow(kind: PlainRecordKind, statuses: string, request: RequestMaker): PermissionRow {
  return { route: `GET ${getPlainList(kind)}`, action: 'list', statuses, request }
}

function missing(kind: PlainRecordKind): RequestMaker {
  return async () => ({ path: toPlainPath(kind, uniqueId()) })
}
