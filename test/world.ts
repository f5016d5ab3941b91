/**
 * A small world for tests, created through the product's own services: an organization with two sibling
 * teams, and every kind of caller in the permission matrix.
 */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { KeyScope } from '../formats/team/key-scope.ts'
import pino from 'pino'
import { newAuthenticator } from '../server/requests/access/authenticate.ts'
import { SESSION_COOKIE } from '../server/requests/access/session.ts'
import { createApiKey } from '../server/people/api-keys/service.ts'
import { createApp } from '../server/app.ts'
import type { AdmissionLimits } from '../server/requests/http/admission.ts'
import { newClientResolver } from '../server/requests/http/client-address.ts'
import { newDirectoryLog } from '../server/requests/http/directory-requests.ts'
import { newPipeline } from '../server/requests/http/context.ts'
import type { Services } from '../server/requests/http/endpoint.ts'
import type { Mailing } from '../server/platform/kit/mailing.ts'
import { newDatasetFacts } from '../server/catalog/rdf/dataset-service.ts'
import { newLanes } from '../server/requests/http/lanes.ts'
import { newOffload } from '../server/requests/http/offload.ts'
import { storeClock, type Clock } from '../server/platform/kit/clock.ts'
import { newDialer } from '../server/platform/kit/dialer.ts'
import { newGroupedInserts } from '../server/platform/kit/grouped-inserts.ts'
import { newKeySets } from '../server/platform/kit/key-sets.ts'
import { keyedQueue } from '../server/platform/kit/keyed-queue.ts'
import { newMetrics } from '../server/platform/kit/metrics.ts'
import { addMember, createOrganization } from '../server/people/organizations/service.ts'
import { secretBox } from '../server/platform/kit/secret-box.ts'
import type { Tracer } from '../server/platform/kit/tracing.ts'
import { newSignals } from '../server/platform/kit/signals.ts'
import { newTestRules } from '../server/reports/test-results/check-service.ts'
import { settleReality } from '../server/reality/settle-service.ts'
import { newStoreGuard } from '../server/store-guard.ts'
import type { Store } from '../server/store.ts'
import { newProviderServices } from '../server/people/providers/provider-services.ts'
import { newPasswordServices } from '../server/people/users/password-service.ts'
import { newSession } from './session.ts'
import { getPagesDirectory } from './pages.ts'

/**
 * The callers of the permission matrix: Uo user key of an owner, Ue of an editor in team A, Um of a
 * plain member of A, Ur read-only of the editor, T team key of A, Tr its read-only, O organization,
 * Or its read-only.
 */
export const CALLERS = ['none', 'Uo', 'Ue', 'Um', 'Ur', 'T', 'Tr', 'O', 'Or'] as const

/** The program of the product's threads. */
export const TASK_THREAD =
  process.env.PORTBOOK_TEST_SERVER === undefined
    ? new URL('../server/task-thread.ts', import.meta.url)
    : pathToFileURL(join(process.env.PORTBOOK_TEST_SERVER, 'task-thread.mjs'))

/** The lowest cost of a password hash. Hashing is otherwise slower than everything else about a person. */
export const CHEAP_PASSWORD_COST = { N: 2, r: 1, p: 1 }

const DIALER = newDialer({ privateAddresses: 'allow', allowed: [], ownStore: undefined })

/** One of the callers. */
export type CallerName = (typeof ALL_CALLERS)[number]

/** All callers: also Tn, a team key of A that is limited to registering and changing data products. */
export const ALL_CALLERS = [...CALLERS, 'Tn'] as const

/** The permissions of the limited key of team A. */
export const LIMIT = ['DATAPRODUCT_ADD', 'DATAPRODUCT_EDIT', 'TEAM_API_KEY_MANAGE'] as const

/** The callers who are people and can sign in: the owner, the editor and the member of team A. */
export type PersonName = 'Uo' | 'Ue' | 'Um'

/** The product as a function, on a database. */
export interface Product {
  services: Services
  /** Sends a request like a client; the body may be an object, a raw text or bytes. */
  call(method: string, path: string, options?: CallOptions): Promise<Response>
}

/** The options of a request. */
export interface CallOptions {
  key?: string | undefined
  body?: unknown
  yaml?: string
  headers?: Record<string, string>
}

/** One organization with its callers. */
export interface World extends Product {
  organizationId: string
  /** The secrets of the callers; `none` has none. */
  keys: Record<CallerName, string | undefined>
  /** The ids of the people, and the secrets of their sessions. */
  userIds: Record<PersonName, string>
  sessions: Record<PersonName, string>
  /** Sends a request with the session of a person, like the catalog's own pages. */
  asPerson(
    person: PersonName,
    method: string,
    path: string,
    options?: CallOptions,
  ): Promise<Response>
  /** Sends a request as one of the callers. */
  as(caller: CallerName, method: string, path: string, options?: CallOptions): Promise<Response>
}

/** Creates the product on a database, with a given clock. */
export function newProduct(
  store: Store,
  options: {
    clock?: Clock
    dpsUntil?: string
    dcsUntil?: string
    requestsPerMinute?: number
    log?: Services['log']
    admissionLimits?: AdmissionLimits
    baseUrl?: string
    passwordsPerMinute?: number
    mailing?: Mailing
    /** The processes that read sources; by default, they are read in this one. */
    readers?: Services['readers']
    /** The number of requests that are worked on at once. */
    slotsCount?: number
    tracer?: Tracer
  } = {},
): Product {
  const clock = options.clock ?? storeClock
  const metrics = newMetrics()
  metrics.add([
    {
      name: 'portbook_store_writable',
      help: 'As the product has it.',
      read: () => Number(services.guard.isWritable()),
    },
  ])
  const services: Services = {
    db: store.db,
    bulkDb: store.db,
    clock,
    authenticator: newAuthenticator(store.db, clock),
    serialize: keyedQueue(),
    groupedInserts: newGroupedInserts(),
    directoryLog: newDirectoryLog(),
    ...newPasswordServices(CHEAP_PASSWORD_COST, options.passwordsPerMinute),
    log: options.log ?? pino({ level: 'silent' }),
    lanes: newLanes(options.slotsCount ?? 10, metrics.lanes),
    offload: newOffload(TASK_THREAD),
    datasetFacts: newDatasetFacts(),
    testRules: newTestRules(),
    ...newProviderServices(),
    secretBox: secretBox(Buffer.alloc(32, 7)),
    dialer: DIALER,
    identityDialer: DIALER,
    keySets: newKeySets(DIALER),
    readers: options.readers,
    runSignals: newSignals(),
    mailing: options.mailing,
    isDiskFull: store.isDiskFull,
    guard: newStoreGuard(store, pino({ level: 'silent' })),
    installation: {
      startedAt: '2026-01-01T00:00:00.000Z',
      workers: 0,
      findProcessId: () => undefined,
      encryptionKeyFrom: 'setting',
      isDemo: false,
      findRefusedConnections: () => undefined,
    },
    baseUrl: options.baseUrl ?? 'http://portbook.test',
    dpsUntil: options.dpsUntil ?? '2026-12-31',
    dcsUntil: options.dcsUntil ?? '2026-12-31',
    eventTypePrefix: 'com.datamesh-manager.events.',
    settleReality,
  }
  const pipeline = newPipeline({
    services,
    metrics,
    tracer: options.tracer,
    requestsPerMinute: options.requestsPerMinute ?? 1e9,
    // Requests within the process come from this address; each browser has its own.
    clients: newClientResolver(['127.0.0.1']),
    admissionLimits: options.admissionLimits,
  })
  const app = createApp(pipeline, {
    metricsToken: 'metrics-token-of-the-tests',
    pagesDirectory: getPagesDirectory(),
  })
  return {
    services,
    async call(method, path, { key, body, yaml, headers } = {}) {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array
      const sent = yaml ?? (isRaw ? body : JSON.stringify(body))
      return await app.request(path, {
        method,
        headers: {
          'content-type': yaml === undefined ? 'application/json' : 'application/yaml',
          ...(key === undefined ? {} : { 'x-api-key': key }),
          ...headers,
        },
        ...(sent === undefined || method === 'GET' ? {} : { body: sent }),
      })
    },
  }
}

/** Creates an organization with the teams `a` and `b` and all callers. */
export async function newWorld(product: Product): Promise<World> {
  const { services, call } = product
  const { db, clock } = services
  const organizationId = await createOrganization(db, `Organization ${uniqueId()}`)
  const editor = `editor-${uniqueId()}@example.test`
  const member = `member-${uniqueId()}@example.test`
  const person = async (email: string, role: 'Owner' | 'Member'): Promise<string> =>
    await addMember(db, organizationId, { email, passwordHash: 'none', role })
  const ownerId = await person(`owner-${uniqueId()}@example.test`, 'Owner')
  const editorId = await person(editor, 'Member')
  const memberId = await person(member, 'Member')
  const key = async (
    scope: KeyScope,
    of: { team?: string; userId?: string; permissions?: readonly string[] } = {},
  ): Promise<string> => {
    const wish = {
      scope,
      team: of.team,
      userId: of.userId,
      displayName: scope,
      expiresOn: undefined,
      permissions: of.permissions,
    }
    return (await createApiKey(db, clock, organizationId, wish, 'system')).secret
  }
  const O = await key('organization')
  const members = [
    { emailAddress: editor, role: 'Editor' },
    { emailAddress: member, role: 'Member' },
  ]
  await expectOk(
    call('PUT', '/api/teams/a', { key: O, body: { id: 'a', name: 'Team A', members } }),
  )
  await expectOk(call('PUT', '/api/teams/b', { key: O, body: { id: 'b', name: 'Team B' } }))
  const keys: World['keys'] = {
    none: undefined,
    Uo: await key('user', { userId: ownerId }),
    Ue: await key('user', { userId: editorId }),
    Um: await key('user', { userId: memberId }),
    Ur: await key('user_read', { userId: editorId }),
    T: await key('team', { team: 'a' }),
    Tr: await key('team_read', { team: 'a' }),
    Tn: await key('team', { team: 'a', permissions: LIMIT }),
    O,
    Or: await key('organization_read'),
  }
  const userIds: World['userIds'] = { Uo: ownerId, Ue: editorId, Um: memberId }
  const sessions: World['sessions'] = {
    Uo: await newSession(db, clock, ownerId),
    Ue: await newSession(db, clock, editorId),
    Um: await newSession(db, clock, memberId),
  }
  return {
    ...product,
    organizationId,
    keys,
    userIds,
    sessions,
    asPerson: (person, method, path, options = {}) =>
      call(method, path, {
        ...options,
        headers: { ...withSession(sessions[person]), ...options.headers },
      }),
    as: (caller, method, path, options = {}) =>
      call(method, path, { ...options, key: keys[caller] }),
  }
}

/** Returns the headers with which a browser sends a session's secret from the catalog's own pages. */
export function withSession(token: string): Record<string, string> {
  return { cookie: `${SESSION_COOKIE}=${token}`, 'sec-fetch-site': 'same-origin' }
}

/**
 * Returns an id that no other test uses. It begins with a letter: digits around an `e` are a number in
 * YAML.
 */
export function uniqueId(): string {
  return `i${randomBytes(6).toString('hex')}`
}

/** Returns a small ODPS document. */
export function odps(id: string, more: object = {}): Record<string, unknown> {
  return {
    apiVersion: 'v1.0.0',
    kind: 'DataProduct',
    id,
    name: `Product ${id}`,
    status: 'active',
    team: { name: 'a' },
    ...more,
  }
}

/** Returns a small DPS document. */
export function dps(id: string, more: object = {}): Record<string, unknown> {
  return {
    dataProductSpecification: '0.0.1',
    id,
    info: { title: `Product ${id}`, owner: 'a' },
    ...more,
  }
}

/** Returns a small ODCS document. */
export function odcs(id: string, more: object = {}): Record<string, unknown> {
  return {
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    id,
    name: `Contract ${id}`,
    version: '1.0.0',
    status: 'active',
    team: { name: 'a' },
    ...more,
  }
}

/** Returns a small DCS document. */
export function dcs(id: string, more: object = {}): Record<string, unknown> {
  return {
    dataContractSpecification: '1.2.1',
    id,
    info: { title: `Contract ${id}`, version: '1.0.0', owner: 'a' },
    ...more,
  }
}

/** Registers a resource below `/api/<room>` with the organization's key. */
export async function putOne(
  { as }: Pick<World, 'as'>,
  room: string,
  body: Record<string, unknown>,
): Promise<void> {
  await expectOk(as('O', 'PUT', `/api/${room}/${String(body.id)}`, { body }))
}

/** Waits for a response and checks that it is a 2xx. */
export async function expectOk(answer: Promise<Response>): Promise<Response> {
  const response = await answer
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return response
}
