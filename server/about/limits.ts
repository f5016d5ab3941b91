/**
 * The limits of every signal that operators watch. The alerts in `deploy/prometheus/alerts.yml` and the Health page use
 * the same ones; `docs/guides/alerts.md` has a section for each alert.
 */

/** When a signal needs a person. */
export interface SignalLimit {
  /** The name of its alert, and of the section in the guide. */
  alert: string
  /** `critical`: people cannot work, or background work has stopped. `warning`: look at it during the day. */
  severity: 'critical' | 'warning'
  /** The value from which on the signal is a problem: above `max`, or below `min`. */
  max?: number
  min?: number
  /** The unit of the value; a share is between 0 and 1. */
  unit: 'seconds' | 'count' | 'share'
  /** The time for which the problem lasts before the alert fires. */
  forSeconds: number
}

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Every limit. */
export const LIMITS = {
  targetUp: critical('PortbookTargetDown', { min: 1, unit: 'count', forSeconds: 2 * MINUTE }),
  readable: critical('PortbookNotReadable', { min: 1, unit: 'count', forSeconds: MINUTE }),
  writable: critical('PortbookNotWritable', { min: 1, unit: 'count', forSeconds: MINUTE }),
  serverErrors: critical('PortbookServerErrors', {
    max: 0.05,
    unit: 'share',
    forSeconds: 5 * MINUTE,
  }),
  workingProcesses: critical('PortbookNoWorkingProcess', {
    min: 1,
    unit: 'count',
    forSeconds: 2 * MINUTE,
  }),
  outcomeUnknown: warning('PortbookOutcomeUnknown', { max: 0, unit: 'count', forSeconds: 0 }),
  laneWait: warning('PortbookLanesWaiting', { max: 1, unit: 'seconds', forSeconds: 5 * MINUTE }),
  rejections: warning('PortbookRequestsRejected', {
    max: 0.1,
    unit: 'count',
    forSeconds: 5 * MINUTE,
  }),
  eventLoopLag: warning('PortbookEventLoopLag', {
    max: 0.5,
    unit: 'seconds',
    forSeconds: 5 * MINUTE,
  }),
  stateAge: warning('PortbookStateNotRead', { max: 60, unit: 'seconds', forSeconds: 2 * MINUTE }),
  followerLag: warning('PortbookFollowerLag', { max: 60, unit: 'seconds', forSeconds: MINUTE }),
  followerFailures: warning('PortbookFollowerFailing', {
    max: 0,
    unit: 'count',
    forSeconds: 5 * MINUTE,
  }),
  deliveryAge: warning('PortbookDeliveriesOld', { max: 600, unit: 'seconds', forSeconds: MINUTE }),
  runWait: warning('PortbookRunsWaiting', { max: 600, unit: 'seconds', forSeconds: MINUTE }),
  failedRuns: warning('PortbookRunsFailing', { max: 0.5, unit: 'share', forSeconds: 5 * MINUTE }),
  /** As a share of the time after which the job is late. */
  jobAge: warning('PortbookJobLate', { max: 1, unit: 'share', forSeconds: 5 * MINUTE }),
  activityAge: warning('PortbookActivityUnsealed', {
    max: 600,
    unit: 'seconds',
    // Imported entries are old, and sealed within a minute.
    forSeconds: 5 * MINUTE,
  }),
  droppedLogLines: warning('PortbookLogLinesDropped', { max: 0, unit: 'count', forSeconds: 0 }),
  freeDisk: warning('PortbookDiskNearlyFull', { min: 0.1, unit: 'share', forSeconds: 5 * MINUTE }),
  openFiles: warning('PortbookOpenFiles', { max: 0.8, unit: 'share', forSeconds: 5 * MINUTE }),
  restarts: warning('PortbookRestarts', { max: 2, unit: 'count', forSeconds: 0 }),
  versions: warning('PortbookMixedVersions', { max: 1, unit: 'count', forSeconds: HOUR }),
} satisfies Readonly<Record<string, SignalLimit>>

type Bound = Omit<SignalLimit, 'alert' | 'severity'>

function critical<const Given extends Bound>(alert: string, bound: Given) {
  return { alert, severity: 'critical' as const, ...bound }
}

function warning<const Given extends Bound>(alert: string, bound: Given) {
  return { alert, severity: 'warning' as const, ...bound }
}
