import {
  STATEMENT_MS_MAX,
  type MeasureAnswer,
  type TableMeasures,
} from '../../../formats/reality/measure/measure.ts'
import { SourceFailure, type Connector, type Setup } from '../../connectors/connector.ts'
import { CONNECTORS } from '../../connectors/connectors.ts'
import { createSecretHider } from '../../connectors/secret-hider.ts'
import { isolateConnectors } from '../../connectors/source-process/isolated-connectors.ts'
import { ApiError } from '../../platform/errors.ts'
import { withoutSlot } from '../../platform/kit/held-slot.ts'
import { selectDialer } from '../../platform/kit/own-source.ts'
import { untilAborted } from '../../platform/kit/signals.ts'
import { openSealed, SecretUnreadable } from '../../platform/sealed-secrets.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { readStoredSetup } from '../integrations/draft.ts'
import type { Integration } from '../integrations/integration.ts'
import type { ClaimedAccount } from './account-store.ts'

/** The services that measure tables. */
export type MeasureServices = Pick<
  Services,
  'dialer' | 'ownSource' | 'log' | 'readers' | 'secretBox'
>

/** A table to measure. */
interface MeasureRequest {
  /** The native path. */
  path: readonly string[]
  measures: TableMeasures
}

/** An integration with the account that measures its tables. */
interface MeasuredSource {
  organizationId: string
  integration: Integration
  account: ClaimedAccount
}

/**
 * Measures tables of an integration one after the other, in a process of its own, with the second account. The answers of tables for
 * which the time was not enough are absent. Errors: invalid_state if the account cannot log in.
 */
export async function measureTables(
  services: MeasureServices,
  source: MeasuredSource,
  tables: readonly MeasureRequest[],
  signal: AbortSignal,
): Promise<MeasureAnswer[]> {
  const { connector, setup } = prepare(services, source, tables)
  const limited = { ...setup, signal }
  return await withoutSlot(() => measureAll(services, connector, limited, tables))
}

async function measureAll(
  services: MeasureServices,
  connector: Connector,
  setup: Setup,
  tables: readonly MeasureRequest[],
): Promise<MeasureAnswer[]> {
  const opening = connector.open(setup)
  const answers: MeasureAnswer[] = []
  try {
    const session = await untilAborted(opening, setup.signal)
    for (const table of tables) {
      const measuring =
        session.measure?.(table) ?? Promise.resolve({ failure: 'not_offered' } as const)
      answers.push(await untilAborted(measuring, setup.signal))
    }
  } catch (error) {
    if (setup.signal.aborted) return answers
    const isOpen = await opening.then(
      () => true,
      () => false,
    )
    if (!isOpen) throw toLogInError(services, setup, error)
    if (!(error instanceof SourceFailure)) throw error
    // The message could be one of the source, so that only the kind of the failure counts.
    return [...answers, ...tables.slice(answers.length).map(() => ({ failure: 'lost' }) as const)]
  } finally {
    // A session that opens too late is closed in the background.
    void opening.then((session) => session.close()).catch(() => undefined)
  }
  return answers
}

function toLogInError({ log }: MeasureServices, { secrets }: Setup, error: unknown): ApiError {
  const hide = createSecretHider(Object.values(secrets))
  const isFailure = error instanceof SourceFailure
  if (!isFailure)
    log.warn({ reason: hide(String(error)) }, 'a test could not connect to its source')
  const reason = isFailure ? hide(error.message) : 'See the server log for details.'
  return new ApiError('invalid_state', `The account for tests could not log in. ${reason}`)
}

// Log lines and statements of a test are discarded.
function ignore(): void {}

function prepare(
  { readers, secretBox, ...services }: MeasureServices,
  { organizationId, integration, account }: MeasuredSource,
  tables: readonly MeasureRequest[],
): { connector: Connector; setup: Omit<Setup, 'signal'> } {
  const connectors =
    readers === undefined
      ? CONNECTORS
      : isolateConnectors(CONNECTORS, {
          environment: readers.environment,
          places: readers.testPlaces,
          flow: [organizationId],
        })
  const reading = readStoredSetup(integration, connectors)
  if (!reading.ok) {
    const detail = `The configuration of the integration "${integration.externalId}" is not valid. Save it again.`
    throw new ApiError('invalid_state', detail)
  }
  const { clientCertificate: _, ...kept } = reading.configuration
  const configuration = {
    ...kept,
    user: account.userName,
    statementTimeoutMs: STATEMENT_MS_MAX,
    // The account may have no access to other databases.
    ...(Array.isArray(kept['database']) && { database: listDatabases(tables) }),
  }
  const password = openPassword(secretBox, [organizationId, integration.id], account.sealed)
  // Its own database is a source only with the configured account.
  const dialer = selectDialer(services, connectors.get(integration.source)?.source ?? '', {
    ...kept,
    user: account.userName,
  })
  const { connector, filters } = reading
  const setup = { configuration, filters, secrets: { password }, dialer, log: ignore, sent: ignore }
  return { connector, setup }
}

function listDatabases(tables: readonly MeasureRequest[]): string[] {
  return [...new Set(tables.flatMap(({ path }) => path.slice(0, 1)))]
}

function openPassword(
  box: Services['secretBox'],
  place: readonly string[],
  sealed: Buffer,
): string {
  try {
    return openSealed(box, 'test_account', place, sealed)
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error
    throw new ApiError(
      'invalid_state',
      'The password of the account for tests was encrypted with another key. Enter it again.',
    )
  }
}
