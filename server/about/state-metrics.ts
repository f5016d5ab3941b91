import type { MetricDefinition } from '../platform/kit/metrics.ts'
import type { InstallationState } from './installation-state.ts'
import type { StateReader } from './state-service.ts'

/**
 * Lists the metrics of the installation. They have no values while the state cannot be read; the time of the last reading
 * shows that.
 */
export function listStateMetrics(reader: StateReader): MetricDefinition[] {
  const from =
    <Value>(pick: (state: InstallationState) => Value) =>
    (): Value | undefined => {
      const state = reader.find()
      return state && pick(state)
    }
  return [
    {
      name: 'portbook_state_read_timestamp_seconds',
      help: 'When this process last read the state of the installation, which working processes do every 15 seconds.',
      read: () => reader.findReadSeconds(),
    },
    {
      name: 'portbook_follower_lag_seconds',
      help: 'Age of the oldest event that a follower of the feed has not handled.',
      labelNames: ['follower'],
      read: from(({ followers }) =>
        followers.map(({ follower, lagSeconds }) => ({ labels: { follower }, value: lagSeconds })),
      ),
    },
    {
      name: 'portbook_deliveries_waiting',
      help: 'Deliveries that wait for an attempt, by channel; 50000 = that many or more.',
      labelNames: ['channel'],
      read: from(({ deliveries }) =>
        deliveries.map(({ channel, waitingCount }) => ({
          labels: { channel },
          value: waitingCount,
        })),
      ),
    },
    {
      name: 'portbook_delivery_oldest_seconds',
      help: 'Time since the oldest waiting delivery was queued, by channel.',
      labelNames: ['channel'],
      read: from(({ deliveries }) =>
        deliveries.map(({ channel, oldestSeconds }) => ({
          labels: { channel },
          value: oldestSeconds,
        })),
      ),
    },
    {
      name: 'portbook_runs',
      help: 'Ingestion runs that have not ended: waiting for a worker, postponed because of their source, or running.',
      labelNames: ['state'],
      read: from(({ runs }) => [
        { labels: { state: 'waiting' }, value: runs.waitingCount },
        { labels: { state: 'postponed' }, value: runs.postponedCount },
        { labels: { state: 'running' }, value: runs.runningCount },
      ]),
    },
    {
      name: 'portbook_run_oldest_waiting_seconds',
      help: 'Time for which the first ingestion run has waited for a worker.',
      read: from(({ runs }) => runs.oldestWaitingSeconds),
    },
    {
      name: 'portbook_activity_unsealed_seconds',
      help: 'Age of the oldest entry of the activity without a seal.',
      read: from(({ activity }) => activity.unsealedSeconds),
    },
    {
      name: 'portbook_table_bytes',
      help: 'Size of a table with its indexes and long values.',
      labelNames: ['table'],
      read: from(({ tables }) =>
        tables.map(({ table, bytes }) => ({ labels: { table }, value: bytes })),
      ),
    },
  ]
}
