/** Credentials and other headers of random requests. */

import * as fc from 'fast-check'
import { SESSION_COOKIE } from '../server/requests/access/session.ts'
import { servesPages, type KeyOwner, type Operation, type Pool } from './fuzz-pool.ts'

/** The credentials of a request, and their owner. */
export interface Keyed {
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
  return fc.oneof(
    { weight: 14, arbitrary: carrying('A', pool.keysOfA) },
    { weight: 3, arbitrary: fc.constantFrom(...pool.sessionsOfA).map(signedIn) },
    { weight: 3, arbitrary: carrying('B', pool.keysOfB) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(...unusable).map((headers): Keyed => ({ owner: 'none', headers })),
    },
  )
}

// Requests that end their own session: a sign-in replaces it.
const ENDS_SESSION = /^\/ui\/(?:sign-in|sign-out-everywhere|password|set-up|invitations\/accept)$/

/** Generates keys for the API; for the pages' endpoints mostly sessions, with the required proof. */
export function credentials(operation: Operation, pool: Pool): fc.Arbitrary<Keyed> {
  if (!servesPages(operation)) return keyed(pool)
  return fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...sessionsFor(operation, pool)).map(signedIn) },
    { weight: 1, arbitrary: carrying('A', pool.keysOfA) },
    { weight: 1, arbitrary: carrying('B', pool.keysOfB) },
  )
}

function sessionsFor({ template }: Operation, pool: Pool): readonly string[] {
  if (template === '/ui/sign-out') return pool.sessionsToSignOut
  return ENDS_SESSION.test(template) ? pool.sessionsToLose : pool.sessionsOfA
}

function signedIn(token: string): Keyed {
  const cookie: [string, string] = ['cookie', `${SESSION_COOKIE}=${token}`]
  return { owner: 'A', headers: [cookie, ['sec-fetch-site', 'same-origin']] }
}

const printable = fc.stringMatching(/^[ -~]{0,30}$/)

/** Generates headers that change how a request is read. */
export const header: fc.Arbitrary<[string, string]> = fc.oneof(
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

/** Generates media types, most of them wrong. */
export const contentType = fc.oneof(
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
