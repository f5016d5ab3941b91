import type { ProcessRole } from './platform/processes/process.ts'

/** Work that a process does by itself, without a request, until it stops. */
interface Loop {
  name: string
  does: string
  /** The processes that do it: all, those that answer requests, or those that work. */
  runsIn: 'every process' | 'serving processes' | 'working processes'
  /** Why processes that only serve do it, too. */
  reason?: string
}

/**
 * Everything that a process does by itself. Nothing else has a timer that reaches the database: `startLoops` is the only
 * way to begin. A process with PORTBOOK_WORKERS=0 only serves; the command `work` only works; the default does both.
 */
export const LOOPS = [
  {
    name: 'store-guard',
    does: 'checks every second whether the database accepts writes, and gives the event feed an epoch after a failover',
    runsIn: 'every process',
    reason:
      'Each process decides about its own writes, and events are rejected until one has looked.',
  },
  {
    name: 'presence',
    does: 'records the process every five seconds',
    runsIn: 'every process',
    reason: 'Only the process itself can show that it is there.',
  },
  {
    name: 'credential-use',
    does: 'records the use of API keys and sessions, and the requests of directories, every five seconds',
    runsIn: 'serving processes',
    reason: 'Only the process that authenticated a request can record the use.',
  },
  {
    name: 'run-signals',
    does: 'listens for runs that were triggered or canceled in other processes',
    runsIn: 'working processes',
  },
  {
    name: 'runs',
    does: 'claims ingestion runs and reads their sources',
    runsIn: 'working processes',
  },
  { name: 'followers', does: 'follows the event feed', runsIn: 'working processes' },
  {
    name: 'distribution',
    does: 'finds the recipients of notifications',
    runsIn: 'working processes',
  },
  {
    name: 'deliveries',
    does: 'sends webhooks, e-mails and chat messages',
    runsIn: 'working processes',
  },
  {
    name: 'upkeep',
    does: 'does the jobs that this process holds (`platform/processes/jobs.ts`)',
    runsIn: 'working processes',
  },
  {
    name: 'index-repair',
    does: 'indexes what processes of an older version wrote without an entry',
    runsIn: 'working processes',
  },
  {
    name: 'state',
    does: 'reads the state of the installation every 15 seconds, for metrics',
    runsIn: 'working processes',
  },
] as const satisfies readonly Loop[]

/** The name of a loop. */
type LoopName = (typeof LOOPS)[number]['name']

/** A running loop. */
export interface RunningLoop {
  /** Ends it: work under way may take the grace period. */
  stop(graceMs: number): Promise<void>
}

/** Starts a loop; undefined = its settings switch it off. */
type StartLoop = () => RunningLoop | undefined

/** The running loops of a process. */
export interface RunningLoops {
  /** Stops those of working processes, for the grace period. */
  stopWork(graceMs: number): Promise<void>
  /** Stops the others: first those of serving processes. */
  stop(): Promise<void>
}

/** Starts the loops of a process. */
export function startLoops(
  role: ProcessRole,
  starters: Readonly<Record<LoopName, StartLoop>>,
): RunningLoops {
  const start = (runsIn: Loop['runsIn']): RunningLoop[] =>
    LOOPS.filter((loop) => loop.runsIn === runsIn).flatMap(({ name }) => starters[name]() ?? [])
  const working = role === 'serving' ? [] : start('working processes')
  const serving = role === 'working' ? [] : start('serving processes')
  // The first beat takes over jobs, so what does them has begun.
  const own = start('every process')
  return {
    stopWork: async (graceMs) => await stopAll(working, graceMs),
    async stop() {
      await stopAll(serving, 0)
      // The presence is the last to write.
      for (const loop of own.toReversed()) await loop.stop(0)
    },
  }
}

async function stopAll(loops: readonly RunningLoop[], graceMs: number): Promise<void> {
  await Promise.all(loops.map(async (loop) => await loop.stop(graceMs)))
}
