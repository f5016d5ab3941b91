import { z } from '@hono/zod-openapi'
import { openCredentials } from '../integrations/service.ts'
import { SecretUnreadable } from '../../platform/sealed-secrets.ts'
import { selectDialer } from '../../platform/kit/own-source.ts'
import type { Claim } from './claim.ts'
import type { Connector, Setup } from '../../connectors/connector.ts'
import { RunFailed, type Engine } from './engine.ts'
import { filters, NO_FILTERS } from '../../connectors/filter.ts'

/**
 * Loads the configuration and secrets of a run's integration for its connector. Errors: RunFailed
 * if a secret cannot be decrypted.
 */
export async function openSourceSetup(
  engine: Engine,
  claim: Claim,
  connector: Connector,
  stored: unknown,
): Promise<Pick<Setup, 'configuration' | 'filters' | 'secrets' | 'dialer'>> {
  const parsed = parseConfiguration(connector, stored)
  const secrets = await openSecrets(engine, claim)
  return {
    ...parsed,
    secrets,
    dialer: selectDialer(engine, connector.source, parsed.configuration),
  }
}

async function openSecrets(
  { db, secretBox }: Engine,
  { organizationId, integrationId }: Claim,
): Promise<Record<string, string>> {
  try {
    return await openCredentials(db, secretBox, organizationId, integrationId)
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error
    throw new RunFailed(
      `The stored secret ${error.field} was sealed with another encryption key. Set it again. Nothing was published.`,
      { cause: error },
    )
  }
}

const storedConfiguration = z.record(z.string(), z.unknown())

function parseConfiguration(
  connector: Connector,
  stored: unknown,
): Pick<Setup, 'configuration' | 'filters'> {
  const { filters: storedFilters, ...fields } = storedConfiguration.parse(stored)
  return {
    configuration: connector.description.configuration.parse(fields),
    filters: storedFilters === undefined ? NO_FILTERS : filters.parse(storedFilters),
  }
}
