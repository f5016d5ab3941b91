import { listStateMetrics } from './about/state-metrics.ts'
import { startStateReader } from './about/state-service.ts'
import {
  startChannels,
  startFeedFollowers,
  startHeldJobs,
  type BackgroundServices,
} from './background.ts'
import { startRepair } from './documents/search/repair-worker.ts'
import { ConfigError, type Config } from './platform/config.ts'
import { findDemoSource } from './demo/source.ts'
import { openSecretBox } from './encryption.ts'
import { CONNECTORS } from './connectors/connectors.ts'
import { USUAL_TIMING, type Engine } from './ingestion/runs/engine.ts'
import { listWaitingRuns, RUN_CHANNEL } from './ingestion/runs/run-store.ts'
import { isolateConnectors } from './connectors/source-process/isolated-connectors.ts'
import { startLoops, type RunningLoop, type RunningLoops } from './loops.ts'
import { startDistribution } from './notices/notifications/distribution-service.ts'
import { startWorkers } from './ingestion/runs/worker.ts'
import { storeClock } from './platform/kit/clock.ts'
import { newDialer, type Dialer } from './platform/kit/dialer.ts'
import { listenTo, pollFor, type Listener } from './platform/kit/listener.ts'
import type { StoreGuard } from './requests/http/endpoint.ts'
import { newOffload, type Offload } from './requests/http/offload.ts'
import type { Log } from './platform/kit/log.ts'
import { openMailing, type Mailing } from './platform/kit/mailing.ts'
import type { Metrics } from './platform/kit/metrics.ts'
import type { SourceDialers } from './platform/kit/own-source.ts'
import type { SecretBox } from './platform/kit/secret-box.ts'
import { newSignals, type Signals } from './platform/kit/signals.ts'
import type { Tracer } from './platform/kit/tracing.ts'
import type { WorkObserver } from './platform/kit/work-observer.ts'
import { listMigrations } from './platform/kit/schema-version.ts'
import { newPresence, startBeats } from './platform/processes/presence.ts'
import type { ProcessRole } from './platform/processes/process.ts'
import { newProcessMetrics, newWorkObserver, serveMetrics } from './process-metrics.ts'
import { watchStore, type WatchingGuard } from './store-guard.ts'
import { settleReality } from './reality/settle-service.ts'
import { MIGRATIONS, openPools, openStore, type Pools, type Store } from './store.ts'
import { newJobWork } from './upkeep.ts'

/** The program of the threads. */
export const TASK_THREAD = new URL('./task-thread.ts', import.meta.url)

// A cancelled run ends within two seconds, including this delay until its worker is notified.
const RUN_POLL_MS = 500

/** A process that only works. */
interface Working {
  /** Waits for running runs for the grace period, then returns unfinished ones to the queue. */
  stop(graceMs: number): Promise<void>
}

/** The dependencies of what a process does by itself. */
interface ProcessParts extends SourceDialers {
  config: Config
  log: Log
  store: Store
  pools: Pools
  secretBox: SecretBox
  signals: Signals
  /** Compares contracts with assets, in threads. */
  offload: Offload
  guard: WatchingGuard
  /** The public address; undefined = it is not configured, and this process does not serve. */
  baseUrl: string | undefined
  /** Sends e-mail; undefined = no mail server is configured. */
  mailing: Mailing | undefined
  /** Undefined = no traces are recorded. */
  tracer: Tracer | undefined
  metrics: Metrics
}

/** Runs the command `work`: everything that needs no HTTP server. Errors: those of a start. */
export async function workAlone(
  config: Config,
  log: Log,
  options: {
    demo: boolean
    tracer?: Tracer | undefined
    countDroppedLines?: () => number
  },
): Promise<Working> {
  if (config.workers === 0) {
    throw new ConfigError(
      'PORTBOOK_WORKERS is 0, which means serving only: set it to at least 1 for the command work',
    )
  }
  const store = await openStore(config, log, 'working')
  try {
    const secretBox = await openSecretBox(config, store.db)
    const pools = openPools(store, log, config.workers)
    const signals = newSignals()
    logSourcePolicy(config, log)
    const sources = newSourceDialers(config, store, options)
    const guard = watchStore({ ...store, db: pools.sideDb }, log)
    const { countDroppedLines, tracer } = options
    const metrics = newProcessMetrics({ config, store, pools, guard, countDroppedLines })
    const scraped = await serveMetrics(config, metrics, { log, isOptional: true })
    const { baseUrl } = config
    const mailing = config.mail && openMailing(config.mail, log)
    const offload = newOffload(TASK_THREAD)
    const own = { config, log, store, pools, secretBox, signals, guard, mailing, baseUrl, tracer }
    const parts = { ...own, ...sources, offload, metrics }
    const loops = startProcess('working', parts, () => undefined)
    return {
      async stop(graceMs) {
        await loops.stopWork(graceMs)
        scraped?.close()
        mailing?.close()
        await loops.stop()
        await offload.close()
        await pools.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/**
 * Creates the dialer according to the settings; with the demo, it also reaches the demo's source. The ports in
 * `config` must be those on which the server listens: if the system chose a port, the caller passes the chosen one.
 */
export function newSourceDialers(
  config: Config,
  store: Store,
  options: { demo: boolean },
): SourceDialers {
  const dialer = newDialer({
    privateAddresses: config.privateSources,
    allowed: config.privateSourcesAllowed,
    ownStore: store.address,
    ownPorts: [config.port, config.metricsPort ?? 0].filter((port) => port !== 0),
  })
  return { dialer, ownSource: options.demo ? findDemoSource(store) : undefined }
}

/**
 * Creates the dialer for OpenID providers and token issuers. It follows the rules of sources, and allows the addresses
 * that are allowed for providers.
 */
export function newIdentityDialer(
  { identityAllowed }: Pick<Config, 'identityAllowed'>,
  sources: Dialer,
): Dialer {
  return newDialer({
    ...sources.rules,
    allowed: [...sources.rules.allowed, ...identityAllowed],
    advice: 'See PORTBOOK_IDENTITY_ALLOWED',
  })
}

/** Logs whether sources may have private addresses, and which setting decided. */
export function logSourcePolicy(config: Config, log: Log): void {
  const { privateSources, privateSourcesReason, privateSourcesAllowed } = config
  const policy = privateSources === 'allow' ? 'allowed' : 'denied'
  const exceptions =
    privateSources === 'deny' && privateSourcesAllowed.length > 0
      ? `, except those in PORTBOOK_PRIVATE_SOURCES_ALLOWED`
      : ''
  log.info(
    { privateSources },
    `sources at private and loopback addresses are ${policy}${exceptions}: ${privateSourcesReason}`,
  )
}

/** A process with its row in the table of processes. */
interface RunningProcess extends RunningLoops {
  id: string
}

/** Starts everything that the process does by itself, according to its role. */
export function startProcess(
  role: ProcessRole,
  parts: ProcessParts,
  startCredentialUse: () => RunningLoop | undefined,
): RunningProcess {
  const { config, log, signals, guard, tracer, offload } = parts
  const { bulkDb, sideDb, relayDb } = parts.pools
  const isPaused = (): boolean => guard.isPaused()
  const observer = newWorkObserver(parts.metrics)
  const services = { db: sideDb, bulkDb, relayDb, clock: storeClock, log, signals, observer }
  const background: BackgroundServices = {
    mailing: parts.mailing,
    db: relayDb,
    clock: storeClock,
    log,
    secretBox: parts.secretBox,
    dialer: parts.dialer,
    baseUrl: parts.baseUrl,
    eventTypePrefix: config.eventTypePrefix,
    observer,
    isPaused,
    tracer,
  }
  const presence = newPresence({
    db: sideDb,
    clock: storeClock,
    log,
    role,
    schemaVersion: listMigrations(MIGRATIONS).at(-1) ?? '',
    findWriteState: () => findWriteState(guard),
  })
  const loops = startLoops(role, {
    'store-guard': () => guard,
    presence: () => startBeats(presence),
    'credential-use': startCredentialUse,
    'run-signals': () => listenForRuns(parts),
    runs: () => startWorkers(newEngine(parts, observer), config.workers),
    followers: () => startFeedFollowers(background),
    distribution: () => startDistribution(background),
    deliveries: () => startChannels(background),
    upkeep: () => startHeldJobs(background, presence, newJobWork({ ...services, offload })),
    'index-repair': () => startRepair(bulkDb, log),
    state: () => {
      const reader = startStateReader({ db: relayDb, clock: storeClock, log })
      parts.metrics.add(listStateMetrics(reader))
      return reader
    },
  })
  return {
    id: presence.id,
    async stopWork(graceMs) {
      // Not awaited: a database without an answer must not delay the end of the work.
      void presence.announceStop()
      await loops.stopWork(graceMs)
    },
    stop: async () => await loops.stop(),
  }
}

function findWriteState(guard: StoreGuard): 'yes' | 'schema' | 'no' {
  if (guard.schema().version !== 'same') return 'schema'
  return guard.isPaused() ? 'no' : 'yes'
}

function newEngine(parts: ProcessParts, observer: WorkObserver): Engine {
  const { config, guard, log, signals } = parts
  return {
    db: parts.pools.bulkDb,
    beatDb: parts.pools.sideDb,
    clock: storeClock,
    log,
    secretBox: parts.secretBox,
    dialer: parts.dialer,
    ownSource: parts.ownSource,
    connectors: isolateConnectors(CONNECTORS, { environment: config.readerEnvironment }),
    signals,
    observer,
    timing: USUAL_TIMING,
    isDiskFull: parts.store.isDiskFull,
    isPaused: () => guard.isPaused(),
    tracer: parts.tracer,
    settleReality,
    offload: parts.offload,
  }
}

// A pooler that changes backends does not deliver notifications.
function listenForRuns({ log, store, pools, signals }: ProcessParts): Listener {
  const send = (id: string): void => signals.send(id)
  const onError = (error: unknown): void =>
    log.warn({ err: error }, 'listening for runs failed; retrying')
  return store.pooling?.mode === 'transaction'
    ? pollFor(() => listWaitingRuns(pools.sideDb), RUN_POLL_MS, send, onError)
    : listenTo(store.connection, RUN_CHANNEL, send, onError)
}
