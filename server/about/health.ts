import { z } from '@hono/zod-openapi'

/**
 * The health of an installation, for owners: what works, what does not, and which limit decides. It contains no names of
 * organizations, people or documents.
 */

/** `unknown`: it cannot be judged now, for example while the database accepts no writes. */
const signalState = z.enum(['ok', 'warning', 'critical', 'unknown'])

/** The name of each signal of the health page. */
const SIGNAL_NAMES = [
  'writable',
  'workingProcesses',
  'versions',
  'followerLag',
  'deliveryAge',
  'runWait',
  'jobAge',
  'activityAge',
  'backupAge',
] as const

const instant = z.string().openapi({ format: 'date-time' })

/** A value with its limit. */
const healthSignal = z
  .object({
    name: z.enum(SIGNAL_NAMES),
    subject: z
      .string()
      .nullable()
      .openapi({ description: 'The follower, channel or job; null = there is only one' }),
    state: signalState,
    value: z.number().nullable().openapi({
      description:
        'null = unknown, or there are several organizations and it would show what others do',
    }),
    limit: z.number(),
    unit: z.enum(['seconds', 'count']),
    alert: z
      .string()
      .nullable()
      .openapi({ description: 'The alert with this limit: a section of the guide of alerts' }),
  })
  .openapi('HealthSignal')

const healthProcess = z.object({
  id: z.string(),
  version: z.string(),
  role: z.enum(['serving', 'working', 'both']),
  host: z
    .string()
    .nullable()
    .openapi({ description: 'Its machine or pod; null = there are several organizations' }),
  state: z.enum(['running', 'paused', 'stopping', 'gone', 'unknown']),
  isThis: z.boolean(),
  startedAt: instant,
  beatAt: instant,
})

const healthJob = z.object({
  name: z.string(),
  title: z.string(),
  state: signalState,
  periodSeconds: z.number(),
  lateSeconds: z.number(),
  succeededAt: instant.nullable(),
  failedAt: instant
    .nullable()
    .openapi({ description: 'The last failure; null = none since the last success' }),
  failureCode: z.string().nullable(),
  durationMs: z.int().nullable(),
})

/** The health of an installation. */
export const health = z
  .object({
    state: signalState.openapi({ description: 'The worst state of all signals' }),
    readAt: instant,
    hasSeveralOrganizations: z.boolean().openapi({
      description: 'Then numbers that show what other organizations do are null',
    }),
    signals: z.array(healthSignal),
    database: z.object({
      version: z.string(),
      sizeBytes: z.int().nullable(),
      isWritable: z.boolean(),
      connections: z
        .object({ count: z.int(), max: z.int() })
        .openapi({ description: 'Of the whole server, by all programs' }),
    }),
    processes: z.array(healthProcess),
    deliveries: z.array(z.object({ channel: z.string(), waiting: z.int() })).nullable(),
    runs: z.object({ waiting: z.int(), postponed: z.int(), running: z.int() }).nullable(),
    jobs: z.array(healthJob),
    backupAt: instant.nullable().openapi({
      description: 'The last success of the command `backup`; null = it was never used',
    }),
    tables: z
      .array(z.object({ table: z.string(), bytes: z.int() }))
      .nullable()
      .openapi({ description: 'The ten largest, with their indexes' }),
    waitingRequests: z
      .int()
      .openapi({ description: 'Requests that wait for their turn in this process' }),
    hasMail: z.boolean(),
    encryptionKeyFrom: z
      .enum(['setting', 'file'])
      .openapi({ description: 'PORTBOOK_ENCRYPTION_KEY, or a file in the data directory' }),
    version: z.string(),
  })
  .openapi('Health')

/** The state of a signal. */
export type SignalState = z.infer<typeof signalState>

/** A value with its limit. */
export type HealthSignal = z.infer<typeof healthSignal>

/** A process of the installation. */
export type HealthProcess = z.infer<typeof healthProcess>

/** A job of the upkeep. */
export type HealthJob = z.infer<typeof healthJob>

/** The health of an installation. */
export type Health = z.infer<typeof health>
