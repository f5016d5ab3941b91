import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Value } from '../../formats/text/value.ts'
import type { Caller } from '../requests/access/caller.ts'
import type { Services } from '../requests/http/endpoint.ts'
import { createAssetId } from '../ingestion/runs/asset-document.ts'
import { CONNECTORS } from '../connectors/connectors.ts'
import { nextTimes, readSchedule } from '../ingestion/integrations/schedule.ts'
import {
  configureIntegration,
  createIntegration,
  setEnabled,
} from '../ingestion/integrations/change-service.ts'
import { changeSettings } from '../reality/grants/settings-service.ts'
import { findIntegration } from '../ingestion/integrations/service.ts'
import type { Instant } from '../platform/kit/clock.ts'
import { newOwnerCaller, setBack } from './register.ts'
import { runOnce } from './run-once.ts'
import { UNAGREED_PRODUCT, type DemoSource } from './source.ts'

/**
 * The data estate of the demo: a database that changes every day, and the integrations that read it. Each change is
 * followed by a real run, whose clock is set back to the scheduled time of that day.
 */

const SCRIPTS = fileURLToPath(new URL('../../examples/estate', import.meta.url))
const DATABASE = 'operations'
const HOUR_MS = 60 * 60 * 1000
const HISTORY_MS = 20 * 24 * HOUR_MS
/** The minimum age of the runs in the history, so that they do not collide with scheduled runs. */
const AGE_MS_MIN = 10 * 60 * 1000
const NO_CONDITIONS = { ifMatch: undefined, ifNoneMatch: undefined }

/** An integration of the estate. */
interface EstateIntegration {
  externalId: string
  name: string
  ownerTeam: string
  scheduleExpression: string
  /** The only schema that it reads; undefined = all schemas that no other integration reads. */
  schema: string | undefined
}

// Its runs follow the scripts.
const WAREHOUSE: EstateIntegration = {
  externalId: 'operations-warehouse',
  name: 'Operations warehouse',
  ownerTeam: 'data-platform',
  scheduleExpression: '0 5 * * *',
  schema: undefined,
}

/** Integrations that teams added in the last days. Each person of the demo has one. */
export const ADDED: readonly EstateIntegration[] = [
  {
    externalId: 'wagon-register',
    name: 'Wagon register',
    ownerTeam: 'fleet',
    scheduleExpression: '30 5 * * *',
    schema: 'wagon_register',
  },
  {
    externalId: 'train-messages',
    name: 'Train messages',
    ownerTeam: 'train-control',
    scheduleExpression: '40 5 * * *',
    schema: 'raw_train_messages',
  },
  {
    externalId: 'customer-portal',
    name: 'Customer portal',
    ownerTeam: 'customer-logistics',
    scheduleExpression: '50 5 * * *',
    schema: 'customer_portal',
  },
]
const ADDED_RUNS = 3

const ALL: readonly EstateIntegration[] = [WAREHOUSE, ...ADDED]
const TIME_ZONE = 'Europe/Berlin'

/** The script after which the reader's password changes, so that the integration's sign-in fails. */
const PASSWORD_CHANGE = '06-border-handovers.sql'

/** The script after which a data product may read a table without an agreement. */
const UNAGREED_GRANT = '08-staging.sql'
const JOURNEYS = ['wagon_journeys_v2', 'journey'] as const

/** The time until the new password was set. */
const REPAIR_MS = 3 * HOUR_MS

/** An event in the past of the demo. */
export interface PastEvent {
  /** Its age when the demo started to load. */
  ageMs: number
  /** Replays the event with the given age. */
  replay(ageMs: number): Promise<void>
}

/** The integrations of the demo. */
export interface Estate {
  /** Returns the asset ID of a path in the database. */
  findAssetId(path: readonly string[]): string
  /** The runs of the past days. */
  history: readonly PastEvent[]
  /** Turns the schedules on. */
  start(): Promise<void>
}

/** Creates the integrations without a run, older than all documents that reference their assets. */
export async function createEstate(
  services: Services,
  organizationId: string,
  source: DemoSource,
  { principal, now, ageMs }: { principal: string; now: Instant; ageMs: number },
): Promise<Estate> {
  const caller = newOwnerCaller(organizationId, principal)
  const scheduler = newOwnerCaller(organizationId, 'system')
  const dated = { ...services, clock: setBack(services.clock, ageMs) }
  const ids = new Map<EstateIntegration, string>()
  for (const integration of ALL) {
    await createIntegration(dated, CONNECTORS, caller, toDraft(integration, source))
    const { id } = await findIntegration(services.db, organizationId, integration.externalId)
    ids.set(integration, id)
  }
  const change = {
    organizationId,
    integrationId: ids.get(WAREHOUSE) ?? '',
    principal,
    requestId: 'demo',
  }
  const { rolePattern: pattern } = source
  await changeSettings({ ...dated, db: services.db }, change, { enabled: true, pattern })
  const findId = (integration: EstateIntegration): string => ids.get(integration) ?? ''
  const scripts = readdirSync(SCRIPTS).toSorted()
  const times = findPastTimes(WAREHOUSE, findId(WAREHOUSE), now, scripts.length)
  const replayScript = newScriptReplay(services, caller, scheduler, source)
  return {
    findAssetId([schema = '', table = '']) {
      const reader = ADDED.find((one) => one.schema === schema) ?? WAREHOUSE
      const integrationId = findId(reader)
      const [database = DATABASE] = source.own.connection.database
      return createAssetId({ integrationId, source: 'postgres' }, [database, schema, table])
    },
    history: [
      ...scripts.map((script, at) => ({
        ageMs: Date.parse(now) - (times[at] ?? 0),
        replay: (age: number) => replayScript(script, age),
      })),
      ...ADDED.flatMap((integration) =>
        findPastTimes(integration, findId(integration), now, ADDED_RUNS).map((time) => ({
          ageMs: Date.parse(now) - time,
          replay: (age: number) => runOnce(services, scheduler, integration.externalId, age),
        })),
      ),
    ],
    async start() {
      for (const { externalId } of ALL) {
        await setEnabled(services, caller, externalId, true)
      }
    },
  }
}

type ScriptReplay = (script: string, ageMs: number) => Promise<void>

function newScriptReplay(
  services: Services,
  caller: Caller,
  scheduler: Caller,
  source: DemoSource,
): ScriptReplay {
  return async (script, ageMs) => {
    await source.execute(readFileSync(join(SCRIPTS, script), 'utf8'))
    if (script === UNAGREED_GRANT) await source.grantRead(UNAGREED_PRODUCT, JOURNEYS)
    if (script !== PASSWORD_CHANGE) {
      await runOnce(services, scheduler, WAREHOUSE.externalId, ageMs)
      return
    }
    const password = await source.changePassword()
    services.log.info('the demo replays a run whose password was changed: its sign-in fails')
    await runOnce(services, scheduler, WAREHOUSE.externalId, ageMs, 'FAILED')
    const dated = { ...services, clock: setBack(services.clock, ageMs - REPAIR_MS) }
    for (const integration of ALL) {
      await configureIntegration(dated, CONNECTORS, caller, {
        externalId: integration.externalId,
        value: toDraft(integration, { ...source, password }, { isKnown: true }),
        conditions: NO_CONDITIONS,
      })
    }
  }
}

// The schedule is off until the history is complete; otherwise the next run would be in the past.
function toDraft(
  { externalId, name, ownerTeam, scheduleExpression, schema }: EstateIntegration,
  { own, sslMode, password }: DemoSource,
  { isKnown } = { isKnown: false },
): Value {
  const { host, port, user, database } = own.connection
  return {
    name,
    ...(isKnown ? {} : { externalId }),
    source: own.source,
    owningTeamExternalId: ownerTeam,
    configuration: { host, port, user, database: [...database], sslMode },
    filters: filtersFor(schema),
    secrets: { password },
    scheduleExpression,
    timeZone: TIME_ZONE,
    enabled: false,
  }
}

function filtersFor(schema: string | undefined) {
  if (schema !== undefined) return { include: { schema: [schema] }, exclude: {} }
  return { include: {}, exclude: { schema: ADDED.flatMap((one) => one.schema ?? []) } }
}

/** Lists the last times of a schedule in epoch milliseconds, oldest first. */
function findPastTimes(
  { scheduleExpression }: EstateIntegration,
  integrationId: string,
  now: string,
  count: number,
): number[] {
  const reading = readSchedule(scheduleExpression, TIME_ZONE)
  if (!reading.ok) throw new Error(reading.message)
  const nowMs = Date.parse(now)
  const start = new Date(nowMs - HISTORY_MS).toISOString()
  return nextTimes(reading.schedule, start, 2 * count + 20, integrationId)
    .map((time) => Date.parse(time))
    .filter((time) => time < nowMs - AGE_MS_MIN)
    .slice(-count)
}
