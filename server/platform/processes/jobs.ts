const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** A job of the upkeep, which one process at a time repeats. */
export interface Job<Name extends string = string> {
  /** The key of its row, and a label of metrics. */
  name: Name
  /** The job in sentences and in the log: `closing runs without a worker`. */
  title: string
  periodMs: number
  /** The age of its last success above which it is late. */
  lateMs: number
  /** Whether it may read whole tables: a process does one such job after the other. */
  isHeavy: boolean
  /** `mail`: only processes with a mail server and a public address do it. */
  needs?: 'mail'
}

/** Every job of the upkeep. */
export const JOBS = [
  newQuickJob('scheduled-runs', 'starting scheduled runs', 5 * SECOND_MS),
  newQuickJob('abandoned-runs', 'closing runs without a worker', 10 * SECOND_MS),
  newQuickJob('run-notices', 'notifying of runs', 15 * SECOND_MS),
  newQuickJob('agreement-dates', 'activating and ending access agreements', 5 * SECOND_MS),
  newQuickJob('freshness', 'judging the freshness of data', 10 * SECOND_MS),
  newQuickJob('reader-counts', 'counting readers', 30 * SECOND_MS),
  newQuickJob('trust-states', 'settling the signals of trust', 15 * SECOND_MS),
  newQuickJob('activity-seals', 'sealing the activity', MINUTE_MS),
  { ...newQuickJob('digests', 'enqueueing digests', MINUTE_MS), needs: 'mail' },
  newSlowJob('expiry-notices', 'notifying of expiries', 10 * MINUTE_MS),
  newSlowJob('former-members', 'ending the access of former members', 10 * MINUTE_MS),
  newSlowJob(
    'agreement-owners',
    'moving access agreements to the owners of their data products',
    10 * MINUTE_MS,
  ),
  newSlowJob('grant-comparisons', 'comparing grants with access agreements', MINUTE_MS),
  newSlowJob('suspended-members', 'removing suspended members', HOUR_MS),
  newQuickJob('drift-acceptances', 'ending acceptances of differences', 15 * SECOND_MS),
  newQuickJob('comparisons', 'comparing contracts with assets', 5 * SECOND_MS),
  newSlowJob('drift-findings', 'deleting old differences', HOUR_MS),
  newSlowJob('promises', 'reading the promises of contracts', MINUTE_MS),
  newSlowJob('outdated-links', 'linking again what sources no longer prove', HOUR_MS),
  newSlowJob('run-leftovers', 'deleting abandoned rows of runs', HOUR_MS),
  newSlowJob('run-logs', 'deleting old log lines', HOUR_MS),
  newSlowJob('removed-assets', 'purging removed assets', HOUR_MS),
  newSlowJob('lineage-events', 'deleting expired lineage events', HOUR_MS),
  newSlowJob('test-results', 'deleting expired test results', HOUR_MS),
  newSlowJob('asset-statistics', 'deleting old statistics of assets', HOUR_MS),
  newSlowJob('usage', 'deleting expired usage', HOUR_MS),
  newSlowJob('deliveries', 'deleting old deliveries', HOUR_MS),
  newSlowJob('notifications', 'deleting old notifications', HOUR_MS),
  newSlowJob('used-tokens', 'deleting the records of used tokens', HOUR_MS),
  newSlowJob('ended-sessions', 'deleting sessions that are over', HOUR_MS),
  newSlowJob('processes', 'deleting processes that are gone', HOUR_MS),
] as const satisfies readonly Job[]

/** The name of a job. */
export type JobName = (typeof JOBS)[number]['name']

/** The command `backup`, which records its success in the table of jobs. */
export const BACKUP = { name: 'backup', title: 'backing up', lateMs: 7 * DAY_MS } as const

function newQuickJob<Name extends string>(name: Name, title: string, periodMs: number): Job<Name> {
  return { name, title, periodMs, lateMs: 10 * MINUTE_MS, isHeavy: false }
}

// In a large catalog, a run may take long, and waits for others.
function newSlowJob<Name extends string>(name: Name, title: string, periodMs: number): Job<Name> {
  return { name, title, periodMs, lateMs: 4 * HOUR_MS, isHeavy: true }
}
