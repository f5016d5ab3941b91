/**
 * Requests at random, made from the product's own OpenAPI document: half of them nearly right, so
 * that they get far, the others hostile, and all of them built of small parts that shrink well.
 */

import * as fc from 'fast-check'
import { SESSION_COOKIE } from '../server/access/session.ts'
import { bodies, often } from './fuzz-bodies.ts'
import { HOSTILE_SEGMENTS } from './fuzz-values.ts'

/** One operation of the OpenAPI document. */
export interface Operation {
  method: string
  /** With names in braces: `/api/teams/{id}`. */
  template: string
  queryNames: readonly { name: string; values: readonly string[] }[]
  bodyMediaTypes: readonly string[]
  /** Media types by status; an empty list where an answer has no body. */
  answers: ReadonlyMap<number, readonly string[]>
}

/** Whose key a request carries: one of an organization, or none that is valid. */
export type KeyOwner = 'A' | 'B' | 'nobody'

/** One request as it is written. */
export interface FuzzRequest {
  method: string
  /** Path and query, byte for byte in latin1. */
  target: string
  headers: readonly [string, string][]
  body: Buffer | undefined
  isChunked: boolean
  keyOwner: KeyOwner
}

/** What the generators draw from besides the OpenAPI document. */
export interface Pool {
  keysOfA: readonly string[]
  keysOfB: readonly string[]
  teamIds: readonly string[]
  productIds: readonly string[]
  keyIds: readonly string[]
  integrationIds: readonly string[]
  /** Secrets of sessions, which are sent as a browser sends them. */
  sessionsOfA: readonly string[]
}

/** Makes the generator of requests. */
export function requests(operations: readonly Operation[], pool: Pool): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      operation: fc.constantFrom(...operations),
      place: place(pool),
      isRouted: often(19),
      odd: oddTarget,
      methodSwap: fc.oneof(
        { weight: 19, arbitrary: fc.constant(undefined) },
        fc.constantFrom(...METHODS),
      ),
      key: keyed(pool),
      headers: fc.array(header, { maxLength: 2 }),
      hasQuery: fc.boolean(),
      contentType: fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, contentType),
      isChunked: fc.boolean(),
      bodyFor: bodies,
      queryFor: fc.array(fc.tuple(fc.nat(), fc.nat(), often(3), hostileValue), { maxLength: 4 }),
    })
    .map((drawn) => {
      const { operation, place, key } = drawn
      const isYaml = drawn.bodyFor.isYaml && operation.bodyMediaTypes.length > 1
      const hasBody = operation.bodyMediaTypes.length > 0 || drawn.bodyFor.isUnasked
      const path = pathOf(operation, place, pool)
      const query = drawn.hasQuery ? queryOf(operation, drawn.queryFor) : ''
      const type = drawn.contentType ?? (isYaml ? 'application/yaml' : 'application/json')
      return {
        method: drawn.methodSwap ?? operation.method,
        target: drawn.isRouted ? path + query : drawn.odd,
        headers: [
          ...key.headers,
          ...(hasBody ? [['content-type', type] as [string, string]] : []),
          ...drawn.headers,
        ],
        body: hasBody
          ? drawn.bodyFor.make(roomOf(operation), meantId(operation, place, pool), pool.teamIds)
          : undefined,
        isChunked: drawn.isChunked && hasBody,
        keyOwner: key.owner,
      }
    })
}

/** Writes a request as HTTP/1.1. */
export function bytesOf(request: FuzzRequest): Buffer {
  const { method, target, headers, body, isChunked } = request
  const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${body?.length ?? 0}`
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  const head = [`${method} ${target} HTTP/1.1`, 'host: portbook.test', ...lines]
  const hasLength = body !== undefined || method === 'PUT' || method === 'POST'
  const text = [...head, ...(hasLength ? [length] : []), '', ''].join('\r\n')
  const content = isChunked && body !== undefined ? chunked(body) : (body ?? Buffer.alloc(0))
  return Buffer.concat([Buffer.from(text, 'latin1'), content])
}

const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'HEAD', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND']

// --- Paths ---

interface Place {
  isKnown: boolean
  choice: number
  /** As it stands in the path, percent-encoded or not. */
  segment: string
}

const segment = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_SEGMENTS) },
  {
    weight: 2,
    arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map(encoded),
  },
  { weight: 1, arbitrary: fc.uuid() },
  {
    weight: 1,
    arbitrary: fc.stringMatching(/^[!-~]{1,20}$/).map((text) => text.replaceAll(/[?#/]/g, '_')),
  },
)

function place(pool: Pool): fc.Arbitrary<Place> {
  const choices = pool.productIds.length * pool.teamIds.length
  return fc.record({ isKnown: often(3), choice: fc.nat(choices), segment })
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    // Half a character has no UTF-8.
    return '%EF%BF%BD'
  }
}

function roomOf({ template }: Operation): string {
  return template.split('/')[2] ?? ''
}

function knownId(operation: Operation, { choice }: Place, pool: Pool): string {
  const room = roomOf(operation)
  const idsByRoom: Partial<Record<string, readonly string[]>> = {
    teams: pool.teamIds,
    'api-keys': pool.keyIds,
    integrations: pool.integrationIds,
  }
  const ids = idsByRoom[room] ?? pool.productIds
  return ids[choice % ids.length] ?? ''
}

/** The id that a place in a path stands for. */
function meantId(operation: Operation, place: Place, pool: Pool): string {
  if (place.isKnown) return knownId(operation, place, pool)
  try {
    return decodeURIComponent(place.segment)
  } catch {
    return place.segment
  }
}

function pathOf(operation: Operation, place: Place, pool: Pool): string {
  let isFirst = true
  return operation.template.replaceAll(/\{\w+\}/g, () => {
    const known = isFirst ? encoded(knownId(operation, place, pool)) : String(place.choice % 4)
    isFirst = false
    return place.isKnown ? known : place.segment
  })
}

const oddTarget = fc.oneof(
  fc.constantFrom(
    '/',
    '*',
    '/api',
    '/api/',
    '//api/teams',
    '/api//teams',
    '/api/teams/',
    '/API/teams',
    '/api/../healthz',
    '/api/./teams',
    '/api/teams/../teams',
    '/healthz',
    '/readyz',
    '/metrics',
    '/ui',
    '/ui/',
    '/ui/start',
    '/ui/set-up',
    '/ui/sign-in',
    '/ui/session',
    '/ui/members/x',
    '/ui/invitations/look',
    '/ui/sources',
    '/ui/integrations',
    '/ui/integrations/test',
    '/ui/integrations/schedule',
    '/ui/integrations/i1',
    '/ui/integrations/i1/enable',
    '/ui/assets/p1/annotation',
    '/openapi.json',
    '/guides/dps-to-odps',
    '/guides/../server/main.ts',
    'http://portbook.test/api/teams',
    'http://evil.test/api/teams',
    '/api/connectors',
    '/api/access',
    '/api/integrations/ingest',
    '/favicon.ico',
    'x',
    '?',
    '#',
  ),
  fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`),
  fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => `/api/${parts.join('/')}`),
)

// --- Queries ---

const hostileValue = fc.oneof(
  fc.constantFrom(
    '',
    '%00',
    '%',
    '%zz',
    '%ff',
    'true',
    'false',
    '1',
    '-1',
    '1e9',
    '99999999999999999999999',
    '2026-02-30T00:00:00Z',
    '2026-01-01',
    '2026-01-01T00:00:00%2B25:00',
    '+275760-09-13T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999999Z',
    '-000001-01-01T00:00:00Z',
    'now',
    'name',
    '-name',
    'odps',
    'dps',
    'document',
    '%27%3B--',
    '%25',
    '*',
    '%E2%80%AE',
    '[]',
    'null',
    'a'.repeat(2000),
    '%20'.repeat(500),
    'x'.repeat(20_000),
    '__proto__',
    '%F0%9F%98%80',
  ),
  fc.string({ maxLength: 20 }).map(encoded),
  fc.uuid(),
)

type QueryDraw = readonly [number, number, boolean, string]

function queryOf({ queryNames }: Operation, draws: readonly QueryDraw[]): string {
  const pairs = draws.map(([which, value, isSane, hostile]) => {
    const known = queryNames[which % Math.max(1, queryNames.length)]
    const name =
      known === undefined || which % 9 === 8 ? ['x', '__proto__', '', 'P'][value % 4] : known.name
    const sane = known?.values[value % Math.max(1, known.values.length)]
    return `${name}=${isSane && sane !== undefined ? sane : hostile}`
  })
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

// --- Headers ---

interface Keyed {
  owner: KeyOwner
  headers: [string, string][]
}

function carrying(owner: KeyOwner, keys: readonly string[]): fc.Arbitrary<Keyed> {
  return fc.tuple(fc.nat(keys.length - 1), fc.boolean()).map(([index, isBearer]) => {
    const key = keys[index] ?? ''
    return { owner, headers: [isBearer ? ['authorization', `Bearer ${key}`] : ['x-api-key', key]] }
  })
}

function keyed(pool: Pool): fc.Arbitrary<Keyed> {
  const [first = ''] = pool.keysOfA
  const [other = ''] = pool.keysOfB
  const unusable: [string, string][][] = [
    [],
    [['x-api-key', '']],
    [['x-api-key', 'pbk_']],
    [['x-api-key', `${first}x`]],
    [['x-api-key', first.toLowerCase()]],
    [['x-api-key', `pbk_${'0'.repeat(49)}`]],
    [['x-api-key', '\u00ff'.repeat(50)]],
    [['x-api-key', 'x'.repeat(9000)]],
    [
      ['x-api-key', first],
      ['x-api-key', other],
    ],
    [
      ['x-api-key', first],
      ['authorization', `Bearer ${other}`],
    ],
    [['authorization', `Basic ${first}`]],
    [['authorization', 'Bearer']],
    [['authorization', `Bearer ${first} ${first}`]],
    [['cookie', `${SESSION_COOKIE}=${first}`]],
    [['cookie', `${SESSION_COOKIE}=`]],
  ]
  const signedIn = fc.constantFrom(...pool.sessionsOfA).map((token): Keyed => {
    const cookie: [string, string] = ['cookie', `${SESSION_COOKIE}=${token}`]
    return { owner: 'A', headers: [cookie, ['sec-fetch-site', 'same-origin']] }
  })
  return fc.oneof(
    { weight: 14, arbitrary: carrying('A', pool.keysOfA) },
    { weight: 3, arbitrary: signedIn },
    { weight: 3, arbitrary: carrying('B', pool.keysOfB) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom(...unusable)
        .map((headers): Keyed => ({ owner: 'nobody', headers })),
    },
  )
}

const printable = fc.stringMatching(/^[ -~]{0,30}$/)

const header: fc.Arbitrary<[string, string]> = fc.oneof(
  fc
    .constantFrom(
      'application/json',
      'application/yaml',
      '*/*',
      'application/yaml;q=0, */*',
      'text/html',
      'application/yaml;q=x',
      ',,,',
      'application/json;q=0.1, application/yaml',
      '',
      'yaml',
      'application/vnd.oai.openapi',
      'application/problem+json',
      ';q=1;q=1',
      '*/*;q=1e400',
    )
    .map((value): [string, string] => ['accept', value]),
  fc
    .tuple(
      fc.constantFrom('if-match', 'if-none-match'),
      fc.oneof(
        fc.constantFrom(
          '*',
          '"x"',
          'W/"x"',
          '"',
          '',
          'x',
          '"a", "b"',
          '"a","b',
          '"\u00ff"',
          '* , "x"',
        ),
        printable,
      ),
    )
    .map(([name, value]): [string, string] => [name, value]),
  fc
    .tuple(
      fc.constantFrom(
        'x-request-id',
        'origin',
        'referer',
        'x-forwarded-for',
        'x-forwarded-host',
        'range',
        'x-http-method-override',
        'content-encoding',
        'accept-encoding',
        'expect',
        'if-modified-since',
        'te',
        'upgrade',
        'connection',
        'content-language',
        'date',
        'via',
        'forwarded',
        'x',
      ),
      fc.oneof(
        fc.constantFrom(
          '',
          'DELETE',
          'gzip',
          'identity',
          '100-continue',
          'bytes=0-1',
          'evil.test',
          '1',
        ),
        printable,
      ),
    )
    .map(([name, value]): [string, string] => [name, value]),
)

const contentType = fc.oneof(
  fc.constantFrom(
    'application/json',
    'application/yaml',
    'application/x-yaml',
    'text/plain',
    'text/yaml',
    '',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'multipart/form-data',
    'application/json; charset=utf-16',
    'APPLICATION/JSON',
    'application/x-www-form-urlencoded',
    'application/json, application/yaml',
    'json',
    ';',
    'application/json;;;',
    '*/*',
  ),
  printable,
)

function chunked(body: Buffer): Buffer {
  const middle = Math.floor(body.length / 2)
  const parts = [body.subarray(0, middle), body.subarray(middle)].filter((part) => part.length > 0)
  const written = parts.flatMap((part) => [
    Buffer.from(`${part.length.toString(16)}\r\n`),
    part,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...written, Buffer.from('0\r\n\r\n')])
}
