/** Integrations for tests, created like by a person. */

import { readJson, type Problem } from './answers.ts'
import { uniqueId, type CallOptions, type PersonName, type World } from './world.ts'

/** Returns the input to connect a PostgreSQL server that does not exist. */
export function integrationBody(more: object = {}): Record<string, unknown> {
  return {
    name: 'Sales',
    source: 'postgres',
    configuration: { host: 'db.portbook.test', user: 'reader' },
    secrets: { password: `secret-${uniqueId()}` },
    ...more,
  }
}

/** Adds an integration of a team, or of none, as the organization's owner. Returns its external id. */
export async function addIntegration(
  world: World,
  owner: string | null,
  more: object = {},
): Promise<string> {
  const body = integrationBody({
    externalId: `i-${uniqueId()}`,
    owningTeamExternalId: owner,
    ...more,
  })
  const created = world.asPerson('Uo', 'POST', '/ui/integrations', { body })
  return (await readJson<{ externalId: string }>(created, 201)).externalId
}

/** The path of the integrations in the API of the catalog's pages. */
export const INTEGRATIONS = '/ui/integrations'

/** An integration as its page shows it. */
export interface Form {
  externalId: string
  name: string
  source: string
  enabled: boolean
  owningTeamExternalId: string | null
  configuration: Record<string, unknown>
  filters: object
  secrets: { name: string; setAt: string | null }[]
  scheduleExpression: string | null
  timeZone: string
  nextTimes: string[]
  pausedBecause: string | null
  version: number
  mayEdit: boolean
}

/** The requests of the integrations' pages. */
export interface Pages {
  as(
    person: PersonName,
    method: string,
    path: string,
    body?: unknown,
    options?: CallOptions,
  ): Promise<Response>
  create(body: object, person?: PersonName): Promise<Response>
  get(id: string): Promise<Form>
  put(id: string, body: object, options?: CallOptions): Promise<Response>
  /** Reads the internal id and the due time from the database. */
  readRow(externalId: string): Promise<{ id: string; next_due_at: string | null }>
}

/** Returns the requests of the pages in a world, which may be created later. */
export function openPages(world: () => World): Pages {
  const as: Pages['as'] = (person, method, path, body, options = {}) =>
    world().asPerson(person, method, path, { body, ...options })
  return {
    as,
    create: (body, person = 'Uo') => as(person, 'POST', INTEGRATIONS, body),
    get: (id) => readJson<Form>(as('Uo', 'GET', `${INTEGRATIONS}/${id}`)),
    put: (id, body, options = {}) => as('Uo', 'PUT', `${INTEGRATIONS}/${id}`, body, options),
    readRow: async (externalId) =>
      await world()
        .services.db.selectFrom('integration')
        .select(['id', 'next_due_at'])
        .where('organization_id', '=', world().organizationId)
        .where('external_id', '=', externalId)
        .executeTakeFirstOrThrow(),
  }
}

/** Returns the fields that a problem names. */
export function splitFields({ violations = [] }: Problem): string[] {
  return violations.map(({ field }) => field)
}
