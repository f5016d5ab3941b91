/** Paths and queries of random requests. */

import * as fc from 'fast-check'
import { mostlyTrue } from './fuzz-bodies.ts'
import { encodeText, type Operation, type Pool } from './fuzz-pool.ts'
import { HOSTILE_SEGMENTS } from './fuzz-values.ts'

/** The target of a request, before its operation is known. */
export interface Place {
  isKnown: boolean
  choice: number
  /** The segment as in the path, percent-encoded or not. */
  segment: string
}

const segment = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_SEGMENTS) },
  {
    weight: 2,
    arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map(encodeText),
  },
  { weight: 1, arbitrary: fc.uuid() },
  {
    weight: 1,
    arbitrary: fc.stringMatching(/^[!-~]{1,20}$/).map((text) => text.replaceAll(/[?#/]/g, '_')),
  },
)

/** Generates places, most of them existing ones. */
export function place(pool: Pool): fc.Arbitrary<Place> {
  const choices = pool.productIds.length * pool.teamIds.length
  return fc.record({ isKnown: mostlyTrue(3), choice: fc.nat(choices), segment })
}

/** Returns the second segment of an operation's path: `teams`. */
export function getRoom({ template }: Operation): string {
  return template.split('/')[2] ?? ''
}

function knownId(operation: Operation, { choice }: Place, pool: Pool, parameter: string): string {
  const { ids: known, productIds } = pool
  const ids =
    known[`${operation.template} ${parameter}`] ??
    known[parameter] ??
    known[getRoom(operation)] ??
    productIds
  return ids[choice % ids.length] ?? ''
}

/** Returns the id for the first parameter of a path. */
export function meantId(operation: Operation, place: Place, pool: Pool): string {
  const [, first = ''] = /\{(\w+)\}/.exec(operation.template) ?? []
  if (place.isKnown) return knownId(operation, place, pool, first)
  try {
    return decodeURIComponent(place.segment)
  } catch {
    return place.segment
  }
}

/** Returns the path of an operation with its parameters. */
export function toPath(operation: Operation, place: Place, pool: Pool): string {
  return operation.template.replaceAll(/\{(\w+)\}/g, (_, parameter: string) =>
    place.isKnown ? encodeText(knownId(operation, place, pool, parameter)) : place.segment,
  )
}

/** Generates targets outside of every operation. */
export const oddTarget = fc.oneof(
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

/** Generates raw values of query parameters. */
export const hostileValue = fc.oneof(
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
  fc.string({ maxLength: 20 }).map(encodeText),
  fc.uuid(),
)

/** The parameter, its value, whether it is valid, and the hostile value. */
export type QueryDraw = readonly [number, number, boolean, string]

/** Creates a query with the required parameters of an operation. */
export function toQuery(
  { queryNames }: Operation,
  draws: readonly QueryDraw[],
  pool: Pool,
): string {
  const drawPair = (
    name: string,
    values: readonly string[],
    [, value, isSane, hostile]: QueryDraw,
  ) => {
    const known = name === 'lastEventId' ? pool.eventIds : values
    return `${name}=${isSane ? (known[value % known.length] ?? hostile) : hostile}`
  }
  const pairs = draws.map((draw, index) => {
    const [which, value] = draw
    const known = queryNames[which % Math.max(1, queryNames.length)]
    if (known === undefined || (which % 9 === 8 && index > 0)) {
      return `${['x', '__proto__', '', 'P'][value % 4]}=${draw[3]}`
    }
    return drawPair(known.name, known.values, draw)
  })
  const [first] = draws
  for (const { name, required, values } of queryNames) {
    const isMissing = required && !pairs.some((pair) => pair.startsWith(`${name}=`))
    if (isMissing && first?.[2] !== false)
      pairs.push(drawPair(name, values, first ?? [0, 0, true, '']))
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
