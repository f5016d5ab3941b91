import { startBackground } from './background.ts'
import { startAgreementUpkeep } from './agreements/occasion-service.ts'
import type { Config } from './platform/config.ts'
import { findDemoSource } from './demo/source.ts'
import { openSecretBox } from './encryption.ts'
import { CONNECTORS } from './connectors/connectors.ts'
import { USUAL_TIMING, type Engine } from './ingestion/runs/engine.ts'
import { listWaitingRuns, RUN_CHANNEL } from './ingestion/runs/run-store.ts'
import { isolateConnectors } from './connectors/source-process/isolated-connectors.ts'
import { startUpkeep } from './ingestion/runs/upkeep-service.ts'
import { startWorkers } from './ingestion/runs/worker.ts'
import { storeClock } from './platform/kit/clock.ts'
import { newDialer } from './platform/kit/dialer.ts'
import { listenTo, pollFor, type Listener } from './platform/kit/listener.ts'
import type { StoreGuard } from './requests/http/endpoint.ts'
import type { Log } from './platform/kit/log.ts'
import { openMailing, type Mailing } from './platform/kit/mailing.ts'
import type { SourceDialers } from './platform/kit/own-source.ts'
import type { SecretBox } from './platform/kit/secret-box.ts'
import { newSignals, type Signals } from './platform/kit/signals.ts'
import type { Tracer } from './platform/kit/tracing.ts'
import { watchStore } from './store-guard.ts'
import { openPools, openStore, type Pools, type Store } from './store.ts'

// A cancelled run ends within two seconds, including this delay until its worker is notified.
const RUN_POLL_MS = 500

/** The ingestion and the background work of a process. */
interface IngestionWork {
  /** Waits for running runs for the grace period, then returns unfinished ones to the queue. */
  stop(graceMs: number): Promise<void>
}

/** The dependencies of the ingestion of a process. */
interface IngestionParts extends SourceDialers {
  config: Config
  log: Log
  store: Store
  pools: Pools
  secretBox: SecretBox
  signals: Signals
  guard: StoreGuard
  /** The public address; undefined = it is not configured, and this process does not serve. */
  baseUrl: string | undefined
  /** Sends e-mail; undefined = no mail server is configured. */
  mailing: Mailing | undefined
  /** Undefined = no traces are recorded. */
  tracer: Tracer | undefined
}

/** Runs the command `work`: workers without an HTTP server. Errors: those of a start. */
export async function workAlone(
  config: Config,
  log: Log,
  options: { demo: boolean; tracer?: Tracer | undefined },
): Promise<IngestionWork> {
  const store = await openStore(config, log, 'working')
  try {
    const secretBox = await openSecretBox(config, store.db)
    const pools = openPools(store, log, config.workers)
    const signals = newSignals()
    logSourcePolicy(config, log)
    const sources = newSourceDialers(config, store, options)
    const guard = watchStore({ ...store, db: pools.sideDb }, log)
    const { baseUrl } = config
    const mailing = config.mail && openMailing(config.mail, log)
    const { tracer } = options
    const own = { config, log, store, pools, secretBox, signals, guard, mailing, baseUrl, tracer }
    const ingestion = startIngestion({ ...own, ...sources })
    return {
      async stop(graceMs) {
        await ingestion.stop(graceMs)
        mailing?.close()
        await guard.stop()
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

/** Starts the configured workers, the upkeep of runs and agreements, and the followers of the feed. */
export function startIngestion(parts: IngestionParts): IngestionWork {
  const { config, log, store, signals, tracer } = parts
  const { bulkDb, sideDb } = parts.pools
  const isPaused = (): boolean => parts.guard.isPaused()
  const engine: Engine = {
    db: bulkDb,
    beatDb: sideDb,
    clock: storeClock,
    log,
    secretBox: parts.secretBox,
    dialer: parts.dialer,
    ownSource: parts.ownSource,
    connectors: isolateConnectors(CONNECTORS, { environment: config.readerEnvironment }),
    signals,
    timing: USUAL_TIMING,
    isDiskFull: store.isDiskFull,
    isPaused,
    tracer,
  }
  const workers = config.workers === 0 ? undefined : startWorkers(engine, config.workers)
  const services = { db: sideDb, bulkDb, clock: storeClock, log, signals, isPaused, tracer }
  const upkeep = startUpkeep(services)
  const agreements = startAgreementUpkeep(services)
  const listener = listenForRuns(parts)
  const background = startBackground({
    mailing: parts.mailing,
    db: parts.pools.relayDb,
    clock: storeClock,
    log,
    secretBox: parts.secretBox,
    dialer: parts.dialer,
    baseUrl: parts.baseUrl,
    eventTypePrefix: config.eventTypePrefix,
    isPaused,
    tracer,
  })
  return {
    async stop(graceMs) {
      const jobs = [upkeep.stop(), agreements.stop(), background.stop(graceMs)]
      await Promise.all([listener.stop(), ...jobs, workers?.stop(graceMs)])
    },
  }
}

// A pooler that changes backends does not deliver notifications.
function listenForRuns({ log, store, pools, signals }: IngestionParts): Listener {
  const send = (id: string): void => signals.send(id)
  const onError = (error: unknown): void =>
    log.warn({ err: error }, 'listening for runs failed; retrying')
  return store.pooling?.mode === 'transaction'
    ? pollFor(() => listWaitingRuns(pools.sideDb), RUN_POLL_MS, send, onError)
    : listenTo(store.connection, RUN_CHANNEL, send, onError)
}
