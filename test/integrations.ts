/** Integrations for tests, created like by a person. */

import { readJson } from './answers.ts'
import { uniqueId, type World } from './world.ts'

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
