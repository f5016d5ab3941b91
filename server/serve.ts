import { resolve } from 'node:path'
import { ConfigError, type Config } from './platform/config.ts'
import { createApp } from './app.ts'
import { newDirectoryLog } from './requests/http/directory-requests.ts'
import { newAuthenticator } from './requests/access/authenticate.ts'
import { recordDirectoryRequests } from './people/directory/state-service.ts'
import { startCredentialUse } from './people/users/credential-use-worker.ts'
import { loadDemo, keepUnfinishedDemo } from './demo/load-demo.ts'
import { startDemoProvider } from './demo/provider.ts'
import { findDemoSignIns } from './demo/sign-ins.ts'
import { openSecretBox } from './encryption.ts'
import { newClientResolver, type ClientResolver } from './requests/http/client-address.ts'
import { newPipeline, getSecurityHeaders } from './requests/http/context.ts'
import type { Services } from './requests/http/endpoint.ts'
import { newDatasetFacts } from './catalog/rdf/dataset-service.ts'
import { newLanes } from './requests/http/lanes.ts'
import { newOffload } from './requests/http/offload.ts'
import { newRefusedClients, type RefusedClients } from './requests/http/refused-clients.ts'
import { listen, type RunningServer } from './requests/http/server.ts'
import { storeClock } from './platform/kit/clock.ts'
import { newGroupedInserts } from './platform/kit/grouped-inserts.ts'
import { newKeySets } from './platform/kit/key-sets.ts'
import { keyedQueue } from './platform/kit/keyed-queue.ts'
import type { Log } from './platform/kit/log.ts'
import { openMailing } from './platform/kit/mailing.ts'
import { newFairQueue } from './platform/kit/fair-queue.ts'
import type { SecretBox } from './platform/kit/secret-box.ts'
import type { SourceDialers } from './platform/kit/own-source.ts'
import { writeSecretFile } from './platform/kit/secret-file.ts'
import { newSignals } from './platform/kit/signals.ts'
import type { Tracer } from './platform/kit/tracing.ts'
import { isEmpty, newSetupToken, setUp } from './people/organizations/service.ts'
import { watchStore } from './store-guard.ts'
import type { ReadyServer } from './platform/output.ts'
import { addServingMetrics, newProcessMetrics, serveMetrics } from './process-metrics.ts'
import { newTestRules } from './reports/test-results/check-service.ts'
import { settleReality } from './reality/settle-service.ts'
import { openPools, openStore, type Store } from './store.ts'
import {
  applyEnvironmentProvider,
  parseEnvironmentProvider,
} from './people/providers/environment-service.ts'
import { newProviderServices } from './people/providers/provider-services.ts'
import { newPasswordServices } from './people/users/password-service.ts'
import { PASSWORD_COST } from './people/users/password.ts'
import {
  logSourcePolicy,
  newIdentityDialer,
  newSourceDialers,
  startProcess,
  TASK_THREAD,
} from './work.ts'

const GRACE_MS = 10_000

/** The maximum number of concurrent connection tests and previews, each a process of about 90 MB. */
const TRIALS_MAX = 4
// A test of a contract takes up to ten minutes, most of which it waits for its source.
const CONTRACT_TESTS_MAX = 4

/** A running server. */
interface Serving extends ReadyServer {
  /** Waits at most ten seconds for running requests, then closes the database. */
  close(): Promise<void>
}

/** The options of a server. */
interface ServeOptions {
  demo: boolean
  /** Whether to log the setup link of an empty database; otherwise only the caller gets it. */
  logsSetupLink: boolean
  /** Counts the lines of the log that could not be written. */
  countDroppedLines?: () => number
  /** Undefined = no traces are recorded. */
  tracer?: Tracer | undefined
}

/**
 * Opens the database, sets it up if it is empty, and serves. Errors: those that prevent a start, with one-line
 * messages.
 */
export async function serve(config: Config, log: Log, options: ServeOptions): Promise<Serving> {
  const store = await openStore(config, log, 'serving')
  try {
    const box = await openSecretBox(config, store.db)
    return await serveStore(config, log, options, store, box)
  } catch (error) {
    await store.close()
    throw error
  }
}

async function serveStore(
  config: Config,
  log: Log,
  options: ServeOptions,
  store: Store,
  secretBox: SecretBox,
): Promise<Serving> {
  await bootstrap(config, log, store)
  const clients = newClientResolver(config.trustedProxies)
  const refused = newRefusedClients(log)
  const server = await listenFor(config, clients, refused)
  const pools = openPools(store, log, config.workers)
  const guard = watchStore({ ...store, db: pools.sideDb }, log)
  const { countDroppedLines } = options
  const metrics = newProcessMetrics({ config, store, pools, guard, countDroppedLines })
  const scraped = await serveMetrics(config, metrics, { log, isOptional: false })
  const ports = { port: server.port, metricsPort: scraped?.port }
  const dialers = newDialers({ ...config, ...ports }, store, options)
  let running: { id: string } | undefined
  const services: Services = {
    ...createServices(config, store, log),
    lanes: newLanes(config.databaseConnectionsMax, metrics.lanes),
    ...dialers,
    bulkDb: pools.bulkDb,
    guard,
    secretBox,
    installation: newInstallation(config, refused, {
      isDemo: options.demo,
      findProcessId: () => running?.id,
    }),
    ...answerSettings(config, server.url),
  }
  addServingMetrics(metrics, server, services.offload)
  const demoProvider = await prepareDemo(services, store, config)
  const { tracer } = options
  const requestsPerMinute = config.rateLimitPerMinute
  const pipeline = newPipeline({ services, metrics, tracer, requestsPerMinute, clients })
  server.serve(createApp(pipeline, { metricsToken: config.metricsToken }).fetch)
  logSourcePolicy(config, log)
  const role = config.workers === 0 ? 'serving' : 'both'
  const parts = { ...services, config, log, store, pools, guard, metrics, tracer }
  const loops = startProcess(role, { ...parts, signals: services.runSignals }, () =>
    startCredentialUse(services, log, () => recordDirectoryRequests(services)),
  )
  running = loops
  return {
    url: server.url,
    ...(await describeStart(services, config, options)),
    async close() {
      await Promise.all([server.close(GRACE_MS), loops.stopWork(GRACE_MS), demoProvider?.close()])
      scraped?.close()
      services.mailing?.close()
      await loops.stop()
      await services.offload.close()
      await pools.close()
      await store.close()
    },
  }
}

/** Loads the demo if this process serves it, starts its provider, and applies that of the settings. */
async function prepareDemo(services: Services, store: Store, { dataDirectory, oidc }: Config) {
  if (services.installation.isDemo) await loadDemo(services, store, dataDirectory)
  else await keepUnfinishedDemo(services)
  await applyEnvironmentProvider(services, parseEnvironmentProvider(oidc))
  return await startDemoProvider(services)
}

/** Returns what a start prints beside the address. */
async function describeStart(services: Services, config: Config, options: ServeOptions) {
  return {
    dataDirectory: config.databaseUrl === undefined ? resolve(config.dataDirectory) : undefined,
    setupLink: await createSetupLink(services, options),
    signIns: await findDemoSignIns(services, config.dataDirectory),
  }
}

/** Listens on the configured address; connections wait until the server answers. */
async function listenFor(
  config: Config,
  clients: ClientResolver,
  refused: RefusedClients,
): Promise<RunningServer> {
  return await listen(config.host, config.port, {
    headers: getSecurityHeaders(config.baseUrl),
    resolveClient: (remoteAddress) => clients.resolvePeer(remoteAddress),
    onRefused: (client) => refused.record(client),
  })
}

type OwnServices =
  | 'bulkDb'
  | 'guard'
  | 'installation'
  | 'lanes'
  | 'secretBox'
  | 'dialer'
  | 'identityDialer'
  | 'keySets'
  | keyof ReturnType<typeof answerSettings>

/** Creates everything that opens outgoing connections for requests. */
function newDialers(
  config: Config,
  store: Store,
  options: ServeOptions,
): Pick<Services, keyof SourceDialers | 'identityDialer' | 'keySets'> {
  const sources = newSourceDialers(config, store, options)
  const identityDialer = newIdentityDialer(config, sources.dialer)
  return { ...sources, identityDialer, keySets: newKeySets(identityDialer) }
}

/** Creates the services that depend only on the settings and the store. */
function createServices(config: Config, store: Store, log: Log): Omit<Services, OwnServices> {
  return {
    db: store.db,
    clock: storeClock,
    authenticator: newAuthenticator(store.db, storeClock),
    serialize: keyedQueue(),
    groupedInserts: newGroupedInserts(),
    directoryLog: newDirectoryLog(),
    ...newPasswordServices(),
    log,
    offload: newOffload(TASK_THREAD),
    datasetFacts: newDatasetFacts(),
    testRules: newTestRules(),
    ...newProviderServices(),
    readers: {
      // The requests that wait are limited as requests under way.
      places: newFairQueue({ runningMax: TRIALS_MAX, waitingMax: Number.POSITIVE_INFINITY }),
      testPlaces: newFairQueue({
        runningMax: CONTRACT_TESTS_MAX,
        waitingMax: Number.POSITIVE_INFINITY,
      }),
      environment: config.readerEnvironment,
    },
    runSignals: newSignals(),
    mailing: config.mail && openMailing(config.mail, log),
    isDiskFull: store.isDiskFull,
    settleReality,
  }
}

function newInstallation(
  { workers, encryptionKey }: Config,
  refused: RefusedClients,
  more: Pick<Services['installation'], 'isDemo' | 'findProcessId'>,
): Services['installation'] {
  return {
    ...more,
    startedAt: new Date().toISOString(),
    workers,
    encryptionKeyFrom: encryptionKey === undefined ? 'file' : 'setting',
    findRefusedConnections: () => refused.find(),
  }
}

/** Returns the settings that appear in answers. */
function answerSettings(
  { baseUrl, dpsUntil, dcsUntil, eventTypePrefix }: Config,
  url: string,
): Pick<Services, 'baseUrl' | 'dpsUntil' | 'dcsUntil' | 'eventTypePrefix'> {
  return { baseUrl: baseUrl ?? url, dpsUntil, dcsUntil, eventTypePrefix }
}

async function bootstrap(
  { bootstrap: first, oidc }: Config,
  log: Log,
  store: Store,
): Promise<void> {
  const problems: string[] = []
  parseEnvironmentProvider(oidc, problems)
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  if (first === undefined) return
  const { apiKeyFile } = first
  const owner = {
    organization: first.organization,
    email: first.ownerEmail,
    password: first.ownerPassword,
  }
  const keepKey =
    apiKeyFile === undefined ? undefined : (secret: string) => writeSecretFile(apiKeyFile, secret)
  const services = { db: store.db, clock: storeClock, passwordCost: PASSWORD_COST }
  const created = await setUp(services, owner, keepKey)
  if (created !== undefined)
    log.info({ organizationId: created.organizationId }, 'the database is set up')
}

// The link is the only secret that is ever printed or logged. It works once, and only for an empty database.
async function createSetupLink(
  { db, baseUrl, log }: Services,
  { logsSetupLink }: ServeOptions,
): Promise<string | undefined> {
  if (!(await isEmpty(db))) return undefined
  // Browsers do not send the part after #, so no log on the way records it.
  const setupLink = `${baseUrl}/set-up#${await newSetupToken(db)}`
  if (logsSetupLink) log.warn({ setupLink }, 'open this link once to set up the first organization')
  return setupLink
}
