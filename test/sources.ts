/**
 * The owner of an organization whose catalog runs in a separate process: signed in, with an API key, able
 * to connect sources and to read the results of their runs.
 */

import assert from 'node:assert/strict'
import { createApiKey } from '../server/people/api-keys/service.ts'
import { followServer } from '../server/ledger/events/epoch-service.ts'
import type { CloudEvent } from '../server/ledger/events/event.ts'
import { storeClock } from '../server/platform/kit/clock.ts'
import { openDatabase } from '../server/platform/kit/database.ts'
import type { IngestionRun } from '../server/ingestion/integrations/run.ts'
import { addMember, createOrganization } from '../server/people/organizations/service.ts'
import type { Database, Tables } from '../server/platform/tables.ts'
import { newSession } from './session.ts'
import { eventually } from './eventually.ts'
import { listFeed } from './feed.ts'
import { newHttpClient, type HttpAnswer, type HttpRequest } from './http-client.ts'
import type { SourceDatabase } from './postgres-source.ts'
import { withConnection, type StorePlace } from './stores.ts'
import { uniqueId, withSession } from './world.ts'

/** The credentials of the owner; they are valid across restarts of the process. */
export interface Owner {
  key: string
  session: string
}

/** The client of the owner for a serving process. */
export interface Desk {
  /** Sends a request with the key; throws unless the response is a 2xx. */
  api<T>(method: string, path: string, options?: HttpRequest): Promise<T>
  /** Sends a request with the session; throws unless the response is a 2xx. */
  ui<T>(method: string, path: string, body?: unknown): Promise<T>
  /** Sends a request with the session; returns any response. */
  ask(method: string, path: string, body?: unknown): Promise<HttpAnswer>
  /** Waits until the last run of an integration, other than `previous`, has ended. */
  ended(externalId: string, previous?: IngestionRun): Promise<IngestionRun>
  /** Returns all events after one; the last of them is a change to a team, made to detect the end. */
  eventsAfter(lastEventId?: string): Promise<CloudEvent[]>
  close(): void
}

const ENDED_MS_MAX = 60_000
const TEAM = 'platform'

/** Creates an organization with an owner and the team `platform`, in a database that no process uses. */
export async function newOwner(place: StorePlace): Promise<Owner> {
  return await onDatabase(place, async (db) => {
    // The place may have another server than when it was last used.
    await followServer(db)
    const organizationId = await createOrganization(db, `Organization ${uniqueId()}`)
    const email = `owner-${uniqueId()}@example.test`
    const person = { email, passwordHash: 'none', role: 'Owner' as const }
    const userId = await addMember(db, organizationId, person)
    const wish = {
      scope: 'organization' as const,
      team: undefined,
      userId: undefined,
      displayName: 'key',
      expiresOn: undefined,
    }
    const { secret: key } = await createApiKey(db, storeClock, organizationId, wish, 'system')
    return { key, session: await newSession(db, storeClock, userId) }
  })
}

/** Opens the database of a place, whether or not a process uses it, and closes it after use. */
export async function onDatabase<T>(
  place: StorePlace,
  use: (db: Database) => Promise<T>,
): Promise<T> {
  return await withConnection(place, async (connection) => {
    const limits = { connectTimeoutMs: 30_000, queryTimeoutMs: 30_000 }
    const database = openDatabase<Tables>(connection, { ...limits, connectionsMax: 1 }, fail)
    try {
      return await use(database.db)
    } finally {
      await database.close()
    }
  })
}

function fail(error: Error): void {
  throw error
}

/** Creates the client of the owner for a process that listens at a URL, and the team. */
export async function openDesk(url: string, { key, session }: Owner): Promise<Desk> {
  const client = newHttpClient(url, key)
  const ask: Desk['ask'] = (method, path, body) =>
    client.send(method, path, {
      key: null,
      body,
      headers: { ...withSession(session), 'content-type': 'application/json' },
    })
  const api: Desk['api'] = async <T>(method: string, path: string, options?: HttpRequest) =>
    parseAnswer(await client.ok(method, path, options)) as T
  await api('PUT', `/api/teams/${TEAM}`, { body: { id: TEAM, name: 'Platform' } })
  return {
    api,
    ask,
    async ui<T>(method: string, path: string, body?: unknown) {
      const answer = await ask(method, path, body)
      assert.ok(answer.status < 300, `${method} ${path} answered ${answer.status}: ${answer.text}`)
      return parseAnswer(answer) as T
    },
    async ended(externalId, previous) {
      let run: IngestionRun | undefined
      const hasEnded = async (): Promise<boolean> => {
        const path = `/api/integrations/ingest/${externalId}/runs/latest`
        const answer = await client.send('GET', path)
        run = answer.status === 404 ? undefined : (parseAnswer(answer) as IngestionRun)
        if (run === undefined || run.ingestionRunId === previous?.ingestionRunId) return false
        return run.completedAt !== null
      }
      await eventually(ENDED_MS_MAX, hasEnded, 'a run ends')
      assert.ok(run !== undefined)
      return run
    },
    eventsAfter: async (lastEventId) => await listFeed(client, { lastEventId }),
    close: () => client.close(),
  }
}

function parseAnswer({ text }: HttpAnswer): unknown {
  return text === '' ? undefined : JSON.parse(text)
}

/** Returns the input to connect a PostgreSQL database, owned by the team `platform`. */
export function postgresIntegration(
  { url, name, user, password }: SourceDatabase,
  more: object = {},
): Record<string, unknown> {
  const { hostname: host, port } = url
  return {
    name: 'Warehouse',
    source: 'postgres',
    owningTeamExternalId: TEAM,
    configuration: { host, port: Number(port), database: [name], user, sslMode: 'disable' },
    secrets: { password },
    ...more,
  }
}
