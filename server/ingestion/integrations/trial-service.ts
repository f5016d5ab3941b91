import type { Value } from '../../../formats/text/value.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { invalidRequest } from '../../requests/http/document.ts'
import {
  SourceFailure,
  type Connector,
  type Finding,
  type Scope,
  type Setup,
} from '../../connectors/connector.ts'
import { createSecretHider } from '../../connectors/secret-hider.ts'
import {
  isolateConnectors,
  type Isolation,
} from '../../connectors/source-process/isolated-connectors.ts'
import { withoutSlot } from '../../platform/kit/held-slot.ts'
import { untilAborted, untilAbortedEach } from '../../platform/kit/signals.ts'
import { DialRefused } from '../../platform/kit/dialer.ts'
import type { Log } from '../../platform/kit/log.ts'
import { selectDialer, type SourceDialers } from '../../platform/kit/own-source.ts'
import {
  draftFor,
  getExistingIntegration,
  requireOwnership,
  type ChangeServices,
  type Connectors,
} from './change-service.ts'
import { getOwnerName, readStoredSetup } from './draft.ts'
import type { Integration } from './integration.ts'
import { findIntegration, openCredentials, requireEditable } from './service.ts'
import { SecretUnreadable } from '../../platform/sealed-secrets.ts'
import { findOwnerAndTime } from './store.ts'

/** The services for trials. */
interface TrialServices extends ChangeServices, SourceDialers {
  /** Options for the processes that read sources; undefined = in this process. */
  readers: Isolation | undefined
  log: Log
}

/**
 * The subject of a trial: a stored integration, a draft that changes it, or a draft of a new one.
 */
interface Trial {
  /** Undefined = a new one. */
  externalId: string | undefined
  /** Undefined = as stored. */
  value: Value | undefined
}

/** The maximum number of scopes in a preview. */
const SCOPES_SHOWN_MAX = 1000

const TEST_MS = 10_000
const PREVIEW_MS = 30_000
const START_MS_MAX = 30_000
const CAUSES_MAX = 10

/** The scopes of a source with the decisions of the filters. */
interface Preview {
  /** The first scopes. */
  scopes: (Pick<Scope, 'kind' | 'decision' | 'message'> & { path: string[] })[]
  counts: Record<Scope['decision'], number>
  /** The reason why the listing is incomplete; null = complete. */
  problem: string | null
}

/**
 * Tests the connection to a source, within ten seconds. Errors: not_found, permission_missing,
 * document_invalid.
 */
export async function testIntegration(
  services: TrialServices,
  connectors: Connectors,
  caller: Caller,
  trial: Trial,
  limitMs = TEST_MS,
): Promise<Finding[]> {
  const { connector, setup } = await prepare(
    services,
    trialConnectors(services, connectors, caller),
    caller,
    trial,
  )
  const limited = { ...setup, ...startLimit(services, limitMs) }
  try {
    return await withoutSlot(() => untilAborted(connector.check(limited), limited.signal))
  } catch (error) {
    const what = `Connect to ${connector.description.title}`
    return [{ state: 'error', what, hint: toMessage(error, limited, services.log) }]
  }
}

/**
 * Lists the scopes that the filters include and exclude, within thirty seconds. Errors: not_found,
 * permission_missing, document_invalid.
 */
export async function previewScopes(
  services: TrialServices,
  connectors: Connectors,
  caller: Caller,
  trial: Trial,
  limitMs = PREVIEW_MS,
): Promise<Preview> {
  const { connector, setup } = await prepare(
    services,
    trialConnectors(services, connectors, caller),
    caller,
    trial,
  )
  const limited = { ...setup, ...startLimit(services, limitMs) }
  const preview: Preview = {
    scopes: [],
    counts: { included: 0, excluded: 0, denied: 0 },
    problem: null,
  }
  try {
    await withoutSlot(() => listInto(preview, connector, limited))
  } catch (error) {
    preview.problem = toMessage(error, limited, services.log)
  }
  return preview
}

async function listInto(preview: Preview, connector: Connector, setup: Setup): Promise<void> {
  const opening = connector.open(setup)
  try {
    const session = await untilAborted(opening, setup.signal)
    for await (const scope of untilAbortedEach(session.scopes(), setup.signal)) {
      const { path, kind, decision, message } = scope
      preview.counts[decision] += 1
      if (preview.scopes.length < SCOPES_SHOWN_MAX) {
        const more = message === undefined ? {} : { message }
        preview.scopes.push({ path: [...path], kind, decision, ...more })
      }
    }
  } finally {
    // A session that opens too late is closed in the background.
    void opening.then((session) => session.close()).catch(() => undefined)
  }
}

// The time limit starts when the reader process has started, which does not depend on the source.
function startLimit(
  { readers }: TrialServices,
  limitMs: number,
): Required<Pick<Setup, 'signal' | 'onStarted'>> {
  const ending = new AbortController()
  const end = (): void =>
    ending.abort(new DOMException('The source did not answer in time', 'TimeoutError'))
  const timer = setTimeout(end, readers === undefined ? limitMs : START_MS_MAX + limitMs)
  timer.unref()
  return {
    signal: ending.signal,
    onStarted: () => {
      clearTimeout(timer)
      setTimeout(end, limitMs).unref()
    },
  }
}

// The organizations take turns at the processes.
function trialConnectors(
  { readers }: TrialServices,
  connectors: Connectors,
  { organizationId }: Caller,
): Connectors {
  if (readers === undefined) return connectors
  return isolateConnectors(connectors, { ...readers, flow: [organizationId] })
}

interface Prepared {
  connector: Connector
  setup: Omit<Setup, 'signal' | 'onStarted'>
}

async function prepare(
  services: TrialServices,
  connectors: Connectors,
  caller: Caller,
  { externalId, value }: Trial,
): Promise<Prepared> {
  const { db } = services
  const { organizationId } = caller
  if (externalId === undefined) {
    return await prepareDraft(services, connectors, caller, undefined, value ?? null)
  }
  const integration = await findIntegration(db, organizationId, externalId)
  return value === undefined
    ? await prepareStored(services, connectors, caller, integration)
    : await prepareDraft(services, connectors, caller, integration, value)
}

async function prepareStored(
  services: TrialServices,
  connectors: Connectors,
  caller: Caller,
  integration: Integration,
): Promise<Prepared> {
  requireEditable(caller, integration)
  const reading = readStoredSetup(integration, connectors)
  if (!reading.ok) throw invalidRequest(reading.violations)
  const secrets = await storedSecrets(services, caller.organizationId, integration)
  return { connector: reading.connector, setup: createSetup(services, reading, secrets) }
}

async function prepareDraft(
  services: TrialServices,
  connectors: Connectors,
  caller: Caller,
  integration: Integration | undefined,
  value: Value,
): Promise<Prepared> {
  const { db, clock } = services
  const { organizationId } = caller
  const ownerTeam = getOwnerName(value)
  const owner = await findOwnerAndTime(db, clock, organizationId, ownerTeam)
  requireOwnership(caller, integration, ownerTeam, owner.ownerTeamId)
  const existing =
    integration === undefined
      ? undefined
      : await getExistingIntegration(db, organizationId, integration)
  const { draft, connector } = draftFor(
    connectors,
    { value, existing, ownerTeam, ...owner },
    { trial: true },
  )
  const replaced = [...draft.removedSecrets, ...draft.secrets.keys()]
  const kept =
    integration === undefined
      ? []
      : await storedSecrets(services, organizationId, integration, replaced)
  const setup = createSetup(services, { connector, ...draft }, [...kept, ...draft.secrets])
  return { connector, setup }
}

type Secrets = readonly (readonly [name: string, secret: string])[]

async function storedSecrets(
  { db, secretBox }: TrialServices,
  organizationId: string,
  { id }: Integration,
  except: readonly string[] = [],
): Promise<Secrets> {
  try {
    return Object.entries(await openCredentials(db, secretBox, organizationId, id, except))
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error
    const message = 'Enter it again: the stored value was encrypted with another key.'
    throw invalidRequest([{ field: `secrets.${error.field}`, message }])
  }
}

// Log lines and statements of a trial are discarded.
function ignore(): void {}

function createSetup(
  services: TrialServices,
  {
    connector,
    configuration,
    filters,
  }: Pick<Prepared, 'connector'> & Pick<Setup, 'configuration' | 'filters'>,
  secrets: Secrets,
): Prepared['setup'] {
  const named = Object.fromEntries(secrets)
  const dialer = selectDialer(services, connector.source, configuration)
  return { configuration, filters, secrets: named, dialer, log: ignore, sent: ignore }
}

// Returns our message for an error; the driver's goes to the log, without secrets.
function toMessage(error: unknown, { secrets, signal }: Setup, log: Log): string {
  const hide = createSecretHider(Object.values(secrets))
  const refused = listCauses(error).find((cause) => cause instanceof DialRefused)
  if (refused !== undefined) return refused.message
  if (signal.aborted) return 'The source did not answer in time.'
  if (error instanceof SourceFailure) return hide(error.message)
  const reasons = listCauses(error).map(({ name, message }) => hide(`${name}: ${message}`))
  log.warn({ reasons }, 'the trial of an integration failed unexpectedly')
  return 'Unexpected error. See the server log for details.'
}

function listCauses(error: unknown): Error[] {
  const causes: Error[] = []
  let cause = error
  while (cause instanceof Error && causes.length < CAUSES_MAX) {
    causes.push(cause)
    cause = cause.cause
  }
  return causes
}
