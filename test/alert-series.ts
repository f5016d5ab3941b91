import type { LIMITS } from '../server/about/limits.ts'

/** The name of an alert. */
type AlertName = (typeof LIMITS)[keyof typeof LIMITS]['alert']

/** Series with their values each minute, in the notation of promtool. */
type Series = Readonly<Record<string, string>>

/** Series for which an alert fires, and series just at its limit, for which it does not. */
interface AlertSeries {
  firing: readonly Series[]
  quiet: readonly Series[]
  /** The labels of the firing alert, apart from its name and severity. */
  labels: Readonly<Record<string, string>>
}

const ONE = { job: 'portbook', instance: 'a:9464' }
const OF = 'job="portbook", instance="a:9464"'
const BUILD = `portbook_build_info{${OF}, version="0.1.0", schema="0064"}`
const REQUESTS = 'portbook_http_request_duration_seconds_count'
const DELIVERED = { job: 'portbook', channel: 'webhook' }

/** A value that stays, and a counter that grows by a number each minute. */
const always = (value: number): string => `${value}+0x200`
const growing = (step: number): string => `0+${step}x200`

/** The series of every alert. */
export const ALERT_SERIES: Readonly<Record<AlertName, AlertSeries>> = {
  PortbookTargetDown: gauge(`up{${OF}}`, 0, 1, ONE),
  PortbookNotReadable: gauge(`portbook_store_readable{${OF}}`, 0, 1, ONE),
  PortbookNotWritable: gauge(`portbook_store_writable{${OF}}`, 0, 1, ONE),
  PortbookServerErrors: {
    firing: [
      {
        [`${REQUESTS}{${OF}, route="/api/teams", status="503"}`]: growing(6),
        [`${REQUESTS}{${OF}, route="/api/teams", status="200"}`]: growing(94),
      },
    ],
    quiet: [
      {
        [`${REQUESTS}{${OF}, route="/api/teams", status="500"}`]: growing(5),
        [`${REQUESTS}{${OF}, route="/api/teams", status="404"}`]: growing(95),
        // Probes of a process that is not ready do not count as requests.
        [`${REQUESTS}{${OF}, route="/readyz", status="503"}`]: growing(100),
      },
      { [`${REQUESTS}{${OF}, route="/api/teams", status="200"}`]: always(0) },
    ],
    labels: { job: 'portbook' },
  },
  PortbookNoWorkingProcess: {
    firing: [{ [BUILD]: always(1) }],
    quiet: [
      // Working processes that cannot read the database are those of another alert.
      {
        [BUILD]: always(1),
        'portbook_state_read_timestamp_seconds{job="portbook", instance="b:9464"}': always(0),
      },
    ],
    labels: { job: 'portbook' },
  },
  PortbookOutcomeUnknown: {
    firing: [
      {
        [`portbook_store_errors_total{${OF}, kind="outcome_unknown"}`]: `${'0 '.repeat(170)}1+0x30`,
      },
      {
        [`portbook_http_problems_total{${OF}, code="outcome_unknown"}`]: `${'0 '.repeat(170)}1+0x30`,
      },
    ],
    quiet: [
      {
        [`portbook_store_errors_total{${OF}, kind="outcome_unknown"}`]: always(0),
        [`portbook_store_errors_total{${OF}, kind="connection_lost"}`]: growing(1),
        [`portbook_http_problems_total{${OF}, code="outcome_unknown"}`]: always(7),
        [`portbook_http_problems_total{${OF}, code="store_unavailable"}`]: growing(1),
      },
    ],
    labels: { job: 'portbook' },
  },
  PortbookLanesWaiting: {
    firing: [
      {
        [`portbook_lane_wait_seconds_bucket{${OF}, lane="point", le="1"}`]: growing(90),
        [`portbook_lane_wait_seconds_bucket{${OF}, lane="point", le="2.5"}`]: growing(100),
        [`portbook_lane_wait_seconds_bucket{${OF}, lane="point", le="+Inf"}`]: growing(100),
      },
    ],
    quiet: [
      {
        [`portbook_lane_wait_seconds_bucket{${OF}, lane="point", le="1"}`]: growing(96),
        [`portbook_lane_wait_seconds_bucket{${OF}, lane="point", le="2.5"}`]: growing(100),
        [`portbook_lane_wait_seconds_bucket{${OF}, lane="point", le="+Inf"}`]: growing(100),
      },
    ],
    labels: { job: 'portbook', lane: 'point' },
  },
  PortbookRequestsRejected: counter(`portbook_lane_rejected_total{${OF}, lane="scan"}`, 7, 6, {
    job: 'portbook',
    lane: 'scan',
  }),
  PortbookEventLoopLag: {
    firing: [{ [BUILD]: always(1), [`nodejs_eventloop_lag_p99_seconds{${OF}}`]: always(0.6) }],
    quiet: [
      { [BUILD]: always(1), [`nodejs_eventloop_lag_p99_seconds{${OF}}`]: always(0.5) },
      // Another program in Node.
      { [`nodejs_eventloop_lag_p99_seconds{${OF}}`]: always(9) },
    ],
    labels: ONE,
  },
  PortbookStateNotRead: {
    firing: [{ [`portbook_state_read_timestamp_seconds{${OF}}`]: '0+60x170 10200+0x30' }],
    quiet: [
      {
        [`portbook_state_read_timestamp_seconds{${OF}}`]: growing(60),
        'portbook_state_read_timestamp_seconds{job="portbook", instance="b:9464"}': always(0),
      },
    ],
    labels: { job: 'portbook' },
  },
  PortbookFollowerLag: gauge(`portbook_follower_lag_seconds{${OF}, follower="webhooks"}`, 61, 60, {
    job: 'portbook',
    follower: 'webhooks',
  }),
  PortbookFollowerFailing: counter(
    `portbook_follower_failures_total{${OF}, follower="webhooks"}`,
    1,
    0,
    { job: 'portbook', follower: 'webhooks' },
  ),
  PortbookDeliveriesOld: gauge(
    `portbook_delivery_oldest_seconds{${OF}, channel="webhook"}`,
    601,
    600,
    DELIVERED,
  ),
  PortbookRunsWaiting: gauge(`portbook_run_oldest_waiting_seconds{${OF}}`, 601, 600, {
    job: 'portbook',
  }),
  PortbookRunsFailing: {
    firing: [
      {
        [`portbook_runs_ended_total{${OF}, status="FAILED"}`]: growing(0.11),
        [`portbook_runs_ended_total{${OF}, status="SUCCESS"}`]: growing(0.1),
      },
    ],
    quiet: [
      {
        [`portbook_runs_ended_total{${OF}, status="FAILED"}`]: growing(0.1),
        [`portbook_runs_ended_total{${OF}, status="SUCCESS"}`]: growing(0.1),
      },
      {
        [`portbook_runs_ended_total{${OF}, status="FAILED"}`]: growing(0.04),
        [`portbook_runs_ended_total{${OF}, status="SUCCESS"}`]: always(0),
      },
    ],
    labels: { job: 'portbook' },
  },
  PortbookJobLate: {
    firing: [
      {
        [`portbook_job_last_success_timestamp_seconds{${OF}, name="sealing"}`]:
          '0+60x150 9000+0x50',
        [`portbook_job_late_after_seconds{${OF}, name="sealing"}`]: always(600),
      },
    ],
    quiet: [
      {
        [`portbook_job_last_success_timestamp_seconds{${OF}, name="sealing"}`]: growing(60),
        [`portbook_job_late_after_seconds{${OF}, name="sealing"}`]: always(600),
        [`portbook_job_last_success_timestamp_seconds{${OF}, name="deleting"}`]: '7200+0x200',
        [`portbook_job_late_after_seconds{${OF}, name="deleting"}`]: always(14_400),
      },
    ],
    labels: { job: 'portbook', name: 'sealing' },
  },
  PortbookActivityUnsealed: gauge(`portbook_activity_unsealed_seconds{${OF}}`, 601, 600, {
    job: 'portbook',
  }),
  PortbookLogLinesDropped: counter(`portbook_log_lines_dropped_total{${OF}}`, 1, 0, ONE),
  PortbookDiskNearlyFull: {
    firing: [
      {
        [`portbook_store_disk_free_bytes{${OF}}`]: always(9),
        [`portbook_store_disk_size_bytes{${OF}}`]: always(100),
      },
    ],
    quiet: [
      {
        [`portbook_store_disk_free_bytes{${OF}}`]: always(10),
        [`portbook_store_disk_size_bytes{${OF}}`]: always(100),
      },
    ],
    labels: ONE,
  },
  PortbookOpenFiles: {
    firing: [
      {
        [BUILD]: always(1),
        [`process_open_fds{${OF}}`]: always(81),
        [`process_max_fds{${OF}}`]: always(100),
      },
    ],
    quiet: [
      {
        [BUILD]: always(1),
        [`process_open_fds{${OF}}`]: always(80),
        [`process_max_fds{${OF}}`]: always(100),
      },
    ],
    labels: ONE,
  },
  PortbookRestarts: {
    firing: [{ [BUILD]: always(1), [`process_start_time_seconds{${OF}}`]: '0+1x200' }],
    quiet: [
      {
        [BUILD]: always(1),
        [`process_start_time_seconds{${OF}}`]: `${'1 '.repeat(178)}2 3 3+0x20`,
      },
    ],
    labels: ONE,
  },
  PortbookMixedVersions: {
    firing: [
      {
        [BUILD]: always(1),
        'portbook_build_info{job="portbook", instance="b:9464", version="0.2.0", schema="0070"}':
          always(1),
      },
    ],
    quiet: [
      {
        [BUILD]: always(1),
        'portbook_build_info{job="portbook", instance="b:9464", version="0.1.0", schema="0064"}':
          always(1),
      },
      {
        [BUILD]: always(1),
        'portbook_build_info{job="portbook", instance="b:9464", version="0.2.0", schema="0070"}': `${'_ '.repeat(150)}1+0x50`,
      },
    ],
    labels: { job: 'portbook' },
  },
}

function gauge(
  series: string,
  firing: number,
  quiet: number,
  labels: AlertSeries['labels'],
): AlertSeries {
  return { firing: [{ [series]: always(firing) }], quiet: [{ [series]: always(quiet) }], labels }
}

/** The series of a counter that grows by these numbers each minute. */
function counter(
  series: string,
  firing: number,
  quiet: number,
  labels: AlertSeries['labels'],
): AlertSeries {
  return { firing: [{ [series]: growing(firing) }], quiet: [{ [series]: growing(quiet) }], labels }
}
