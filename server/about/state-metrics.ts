import type { MetricDefinition } from '../platform/kit/metrics.ts'
import type { InstallationState, StateReader } from './installation-state.ts'

/** A metric that is a part of the state. */
interface StateMetric extends Omit<MetricDefinition, 'read'> {
  pick(state: InstallationState): ReturnType<MetricDefinition['read']>
}

const WORK: readonly StateMetric[] = [
  {
    name: 'portbook_follower_lag_seconds',
    help: 'Age of the oldest event that a follower of the feed has not handled.',
    labelNames: ['follower'],
    pick: ({ followers }) =>
      followers.map(({ follower, lagSeconds }) => ({ labels: { follower }, value: lagSeconds })),
  },
  {
    name: 'portbook_deliveries_waiting',
    help: 'Deliveries that wait for an attempt, by channel; 50000 = that many or more.',
    labelNames: ['channel'],
    pick: ({ deliveries }) =>
      deliveries.map(({ channel, waitingCount }) => ({ labels: { channel }, value: waitingCount })),
  },
  {
    name: 'portbook_delivery_oldest_seconds',
    help: 'Time since the oldest waiting delivery was queued, by channel.',
    labelNames: ['channel'],
    pick: ({ deliveries }) =>
      deliveries.map(({ channel, oldestSeconds }) => ({
        labels: { channel },
        value: oldestSeconds,
      })),
  },
  {
    name: 'portbook_runs',
    help: 'Ingestion runs that have not ended: waiting for a worker, postponed because of their source, or running.',
    labelNames: ['state'],
    pick: ({ runs }) => [
      { labels: { state: 'waiting' }, value: runs.waitingCount },
      { labels: { state: 'postponed' }, value: runs.postponedCount },
      { labels: { state: 'running' }, value: runs.runningCount },
    ],
  },
  {
    name: 'portbook_run_oldest_waiting_seconds',
    help: 'Time for which the first ingestion run has waited for a worker.',
    pick: ({ runs }) => runs.oldestWaitingSeconds,
  },
]

const UPKEEP: readonly StateMetric[] = [
  {
    name: 'portbook_activity_unsealed_seconds',
    help: 'Age of the oldest entry of the activity without a seal.',
    pick: ({ activity }) => activity.unsealedSeconds,
  },
  {
    name: 'portbook_processes',
    help: 'Running processes of the installation, by role and version; serving = answers requests only, working = works only.',
    labelNames: ['role', 'version'],
    pick: ({ processes }) =>
      processes.map(({ role, version, count }) => ({ labels: { role, version }, value: count })),
  },
  {
    name: 'portbook_job_last_success_timestamp_seconds',
    help: 'When a job of the upkeep last succeeded, or was created.',
    labelNames: ['name'],
    pick: ({ jobs }) =>
      jobs.map(({ job: name, succeededAtSeconds }) => ({
        labels: { name },
        value: succeededAtSeconds,
      })),
  },
  {
    name: 'portbook_job_late_after_seconds',
    help: 'Time since the last success of a job above which it is late.',
    labelNames: ['name'],
    pick: ({ jobs }) =>
      jobs.map(({ job: name, lateAfterSeconds }) => ({
        labels: { name },
        value: lateAfterSeconds,
      })),
  },
  {
    name: 'portbook_table_bytes',
    help: 'Size of a table with its indexes and long values.',
    labelNames: ['table'],
    pick: ({ tables }) => tables.map(({ table, bytes }) => ({ labels: { table }, value: bytes })),
  },
]

/**
 * Lists the metrics of the installation. They have no values while the state cannot be read; the time of the last reading
 * shows that.
 */
export function listStateMetrics(reader: StateReader): MetricDefinition[] {
  return [
    {
      name: 'portbook_state_read_timestamp_seconds',
      help: 'When this process last read the state of the installation, which only working processes do; 0 = not yet.',
      read: () => reader.getReadSeconds(),
    },
    ...[...WORK, ...UPKEEP].map(({ pick, ...definition }) => ({
      ...definition,
      read() {
        const state = reader.find()
        return state && pick(state)
      },
    })),
  ]
}
