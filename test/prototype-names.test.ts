/**
 * Names of `Object.prototype` are ordinary texts: in every parameter of a path and a query, and in every member of a
 * body, of every endpoint. The product answers them as it answers other unknown names, and never with a 5xx.
 */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import pino from 'pino'
import { RECORDS } from '../formats/record/kinds.ts'
import { PLAIN_RECORDS } from '../formats/record/plain-kinds.ts'
import { api } from '../server/api.ts'
import { openApiDocument } from '../server/requests/http/openapi.ts'
import { ui } from '../server/ui.ts'
import { buildAgreement } from './agreements.ts'
import { FULL_ODCS } from './full-contracts.ts'
import { FULL_DCS } from './full-dcs.ts'
import { fillSchema, FULL_ODPS_1_1 } from './full-products.ts'
import { describeApi, type OpenApi } from './fuzz-oracle.ts'
import { type Operation, type Pool } from './fuzz-pool.ts'
import type { Shape } from './fuzz-shapes.ts'
import { toPath } from './fuzz-targets.ts'
import { collectPool, plantCanaries } from './fuzz-world.ts'
import { buildPlainRecord, toPlainPath } from './plain-records.ts'
import { buildRecord, toRecordId } from './records.ts'
import { onStore } from './stores.ts'
import { expectOk, newProduct, newWorld, odps, type World } from './world.ts'

// The first one is an object, the others are functions: a look-up that finds one of these finds all.
const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']
const [OBJECT = '', ...FUNCTIONS] = NAMES
// These end the session that sends them.
const ENDING = /\/ui\/(sign-out|account\/password|members\/\{userId\}|set-up)/
const DEPTH_MAX = 4
const AT_ONCE = 16

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

interface Sent {
  method: string
  path: string
  body?: Json
}

const { operations, components } = describeApi(openApiDocument([...api, ...ui], 'test') as OpenApi)

onStore((store) => {
  let world: World
  let pool: Pool
  const failures: string[] = []

  before(async () => {
    const log = pino({ level: 'error' }, { write: (line) => void failures.push(line) })
    const product = newProduct(store(), { log })
    world = await newWorld(product)
    const other = await newWorld(product)
    await plantCanaries(world)
    pool = await collectPool(world, other)
    const body = odps('provider', { outputPorts: [{ name: 'out', version: '1' }] })
    await expectOk(world.as('O', 'PUT', '/api/dataproducts/provider', { body }))
  })

  /** Sends requests, some at a time; returns how often each status was answered. */
  async function sendAll(requests: Iterable<Sent>): Promise<Map<number, number>> {
    const statuses = new Map<number, number>()
    const waiting = requests[Symbol.iterator]()
    const sendWaiting = async (): Promise<void> => {
      for (const request of { [Symbol.iterator]: () => waiting }) {
        const { method, path, body } = request
        const options = body === undefined ? {} : { body }
        const { status } = await (path.startsWith('/ui/')
          ? world.asPerson('Uo', method, path, options)
          : world.as('O', method, path, options))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        assert.ok(
          // 501 = a part of SCIM that is not offered.
          status < 500 || status === 501,
          `${status} to ${method} ${path} ${JSON.stringify(body)}\n${failures.at(-1)}`,
        )
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, sendWaiting))
    return statuses
  }

  describe('names of Object.prototype › no 5xx', () => {
    test('in every query parameter, and as an unknown one', async () => {
      const statuses = await sendAll(listQueries(operations, pool))
      assert.ok((statuses.get(200) ?? 0) > 100, 'free texts are answered')
      assert.ok((statuses.get(400) ?? 0) > 100, 'unknown values of a list are rejected')
    })

    test('in every parameter of a path', async () => {
      const statuses = await sendAll(listPaths(operations))
      assert.ok((statuses.get(404) ?? 0) > 100)
    })

    test('in every member of a document, and as its name', async () => {
      for (const { method, path, body } of listDocuments())
        await expectOk(world.as('O', method, path, { body }))
      const statuses = await sendAll(
        listDocuments().flatMap((document) => [...listMutations(document)]),
      )
      assert.ok((statuses.get(200) ?? 0) > 100, 'members that Portbook does not know are kept')
      assert.ok((statuses.get(422) ?? 0) > 100, 'values that a format does not know are rejected')
    })

    test('in every member of every other body, and as its name', async () => {
      const bodies = operations
        .filter(({ bodyShape, template }) => bodyShape !== undefined && !ENDING.test(template))
        .flatMap((operation): Sent[] => {
          const path = toKnownPath(operation, pool)
          const body = toSample(operation.bodyShape ?? {})
          return [{ method: operation.method, path, body }]
        })
      const statuses = await sendAll(bodies.flatMap((one) => [...listMutations(one)]))
      assert.ok((statuses.get(422) ?? 0) > 10)
      const session = await world.asPerson('Uo', 'GET', '/ui/session')
      assert.equal(session.status, 200, 'no request ended the session')
    })
  })
})

function* listQueries(operations: readonly Operation[], pool: Pool): Generator<Sent> {
  const pick = newPicker()
  for (const operation of operations) {
    const { method, queryNames } = operation
    if (method === 'DELETE' || ENDING.test(operation.template)) continue
    const required = queryNames.filter((one) => one.required)
    const path = toKnownPath(operation, pool)
    for (const { name: parameter } of queryNames) {
      const others = required.filter((one) => one.name !== parameter)
      const pairs = others.map((one) => `${one.name}=${one.values[0] ?? 'a'}`)
      for (const name of pick())
        yield { method, path: `${path}?${[`${parameter}=${name}`, ...pairs].join('&')}` }
    }
    for (const name of pick()) yield { method, path: `${path}?${name}=${name}` }
  }
}

function* listPaths(operations: readonly Operation[]): Generator<Sent> {
  const pick = newPicker()
  for (const { method, template } of operations) {
    if (ENDING.test(template) || !template.includes('{')) continue
    for (const name of pick()) yield { method, path: template.replaceAll(/\{\w+\}/g, name) }
  }
}

/** Returns a function that returns the name of an object, and that of each function in turn. */
function newPicker(): () => [string, string] {
  let turn = 0
  return () => [OBJECT, FUNCTIONS[(turn += 1) % FUNCTIONS.length] ?? '']
}

function put(path: string, body: unknown): Sent {
  return { method: 'PUT', path, body: body as Json }
}

/** Lists a valid document of every kind, as full as the tests have one. */
function listDocuments(): Sent[] {
  return [
    put('/api/dataproducts/names', withOwner(FULL_ODPS_1_1)),
    put('/api/dataproducts/names', withOwner(fillSchema('odps-v1.0.0'))),
    ...[...FULL_ODCS.values()]
      .slice(-1)
      .map((body) => put('/api/datacontracts/names', withOwner(body))),
    ...[...FULL_DCS.values()]
      .slice(-1)
      .map((body) => put('/api/datacontracts/names', withOwner(body))),
    ...RECORDS.map((kind) => {
      const id = toRecordId(kind, 'names')
      return put(`${kind.collection}/${id}`, buildRecord(kind, id))
    }),
    ...PLAIN_RECORDS.map((kind): Sent => {
      const body = buildPlainRecord(kind, 'names', 'p1') as Json
      return kind.id === 'of the client'
        ? put(toPlainPath(kind, 'names'), body)
        : { method: 'POST', path: toPlainPath(kind), body }
    }),
    put('/api/access/names', buildAgreement('provider', { teamId: 'b' })),
    put('/api/teams/names', {
      id: 'names',
      name: 'Names',
      type: 'Team',
      parent: 'a',
      tags: ['a'],
      members: [{ emailAddress: 'a@example.test', role: 'Owner' }],
    }),
    put('/api/assets/names', {
      id: 'names',
      info: { name: 'A', owner: 'a', type: 'table', status: 'active' },
      columns: [{ name: 'a', type: 'text' }],
      properties: { host: 'a' },
    }),
  ]
}

/** Returns a document with an id and a team that exists. */
function withOwner(document: unknown): unknown {
  const { team, info, ...rest } = document as { [name: string]: Json }
  return {
    name: 'Names',
    ...rest,
    id: 'names',
    ...(info === undefined
      ? { team: { ...(team as object), name: 'a' } }
      : { info: { ...(info as object), owner: 'a' } }),
  }
}

/** Lists requests with one member changed to a name, or with one member of that name more, for each place of a body. */
function* listMutations({ method, path, body }: Sent): Generator<Sent> {
  let turn = 0
  const next = (): string => NAMES[(turn += 1) % NAMES.length] ?? ''
  const shapes = new Set<string>()
  for (const at of listPlaces(body ?? null)) {
    // All elements of a list have the same members.
    const shape = at.map((part) => (/^\d+$/.test(String(part)) ? '*' : part)).join('/')
    if (shapes.has(shape)) continue
    shapes.add(shape)
    const value = getAt(body ?? null, at)
    if (typeof value !== 'object' || value === null) {
      yield { method, path, body: setAt(body ?? null, at, next()) }
    } else if (!Array.isArray(value)) {
      yield { method, path, body: setAt(body ?? null, at, addMember(value, next(), {})) }
    } else {
      yield { method, path, body: setAt(body ?? null, at, [next()]) }
    }
  }
}

type Place = readonly (string | number)[]

function* listPlaces(value: Json, at: Place = []): Generator<Place> {
  yield at
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) yield* listPlaces(member, [...at, name])
}

function getAt(value: Json, [first, ...rest]: Place): Json {
  if (first === undefined || typeof value !== 'object' || value === null) return value
  const members = new Map(Object.entries(value))
  return getAt(members.get(String(first)) ?? null, rest)
}

function setAt(value: Json, [first, ...rest]: Place, changed: Json): Json {
  if (first === undefined || typeof value !== 'object' || value === null) return changed
  const entries = Object.entries(value).map(([name, member]): [string, Json] => [
    name,
    name === String(first) ? setAt(member, rest, changed) : member,
  ])
  return Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries)
}

function addMember(object: { [name: string]: Json }, name: string, member: Json): Json {
  return Object.fromEntries([...Object.entries(object), [name, member]])
}

function toKnownPath(operation: Operation, pool: Pool): string {
  return toPath(operation, { isKnown: true, choice: 0, segment: '' }, pool)
}

/** Creates a value that a schema of the API mostly allows, with every member. */
function toSample(shape: Shape, depth = 0): Json {
  if (depth > DEPTH_MAX) return null
  if (shape.$ref !== undefined) {
    return toSample(components[shape.$ref.split('/').at(-1) ?? ''] ?? {}, depth)
  }
  if (shape.const !== undefined) return shape.const as Json
  const [choice] = shape.enum ?? []
  if (choice !== undefined) return choice as Json
  const [alternative] = shape.anyOf ?? shape.oneOf ?? []
  if (alternative !== undefined) return toSample(alternative, depth)
  const [type = 'object'] = [shape.type ?? 'object'].flat()
  switch (type) {
    case 'string':
      return 'a'.repeat(Math.max(1, shape.minLength ?? 1))
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return false
    case 'null':
      return null
    case 'array':
      return [toSample(shape.items ?? {}, depth + 1)]
    default:
      return Object.fromEntries(
        Object.entries(shape.properties ?? {}).map(([name, one]) => [
          name,
          toSample(one, depth + 1),
        ]),
      )
  }
}
