import { chart, stat, type Row } from './dashboard-panel.ts'

/** The panels of the Grafana dashboard, from its first row to its last. `dashboard.ts` draws them. */

const REQUESTS = 'portbook_http_request_duration_seconds'
const PEOPLE = 'route!~"/healthz|/readyz|/metrics"'
const RATE = '[$__rate_interval]'

const state: Row = {
  title: 'State',
  panels: [
    stat(
      'Writable',
      'Whether every process may write to its database.',
      'bool_yes_no',
      'writable',
      ['min(portbook_store_writable{$process})'],
    ),
    stat(
      'Readable',
      'Whether every process can read from its database.',
      'bool_yes_no',
      'readable',
      ['min(portbook_store_readable{$process})'],
    ),
    stat(
      'Processes down',
      'Processes that Prometheus cannot reach. Normal: 0.',
      'short',
      undefined,
      ['count(up{job=~"$job"} == 0) or vector(0)'],
    ),
    stat(
      'Working processes',
      'Processes that do background work: runs, notifications, e-mails, webhooks. Normal: 1 or more.',
      'short',
      'workingProcesses',
      [
        'sum(max by (role, version) (portbook_processes{$process, role=~"working|both"})) or vector(0)',
      ],
    ),
    stat('Firing alerts', 'Alerts of Portbook that fire now. Normal: 0.', 'short', undefined, [
      'count(ALERTS{alertname=~"Portbook.*", alertstate="firing", job=~"$job"}) or vector(0)',
    ]),
    stat(
      'Errors',
      'Share of requests that were answered with a status from 500 on. Normal: 0.',
      'percentunit',
      'serverErrors',
      [
        `(sum(rate(${REQUESTS}_count{$process, ${PEOPLE}, status=~"5.."}[5m])) or vector(0)) / sum(rate(${REQUESTS}_count{$process, ${PEOPLE}}[5m]))`,
      ],
    ),
    stat('Requests', 'Requests per second.', 'reqps', undefined, [
      `sum(rate(${REQUESTS}_count{$process, ${PEOPLE}}[5m]))`,
    ]),
    stat('95th percentile', 'Nineteen of twenty requests are faster.', 's', undefined, [
      `histogram_quantile(0.95, sum by (le) (rate(${REQUESTS}_bucket{$process, ${PEOPLE}}[5m])))`,
    ]),
    {
      title: 'Versions',
      description:
        'Running processes by their role and version. During an upgrade there are two versions.',
      kind: 'table',
      unit: 'short',
      targets: [{ expr: 'max by (role, version) (portbook_processes{$process})' }],
      limit: 'versions',
      width: 24,
    },
  ],
}

const traffic: Row = {
  title: 'Traffic',
  panels: [
    chart('Requests by status', 'Requests per second, by the class of their status.', 'reqps', 12, {
      '{{class}}xx': `sum by (class) (label_replace(rate(${REQUESTS}_count{$process}${RATE}), "class", "$1", "status", "(.).*"))`,
    }),
    chart(
      'Durations',
      'Durations of all requests, by percentile.',
      's',
      12,
      Object.fromEntries(
        [0.5, 0.95, 0.99].map((quantile) => [
          `p${quantile * 100}`,
          `histogram_quantile(${quantile}, sum by (le) (rate(${REQUESTS}_bucket{$process, ${PEOPLE}}${RATE})))`,
        ]),
      ),
    ),
    chart('Durations by address', '95th percentile by the first parts of the address.', 's', 12, {
      '{{group}}': `histogram_quantile(0.95, sum by (le, group) (label_replace(rate(${REQUESTS}_bucket{$process, ${PEOPLE}}${RATE}), "group", "$1", "route", "(/[^/]*(?:/[^/{]+)?).*")))`,
    }),
    chart('Slowest routes', '95th percentile of the ten slowest routes.', 's', 12, {
      '{{method}} {{route}}': `topk(10, histogram_quantile(0.95, sum by (le, method, route) (rate(${REQUESTS}_bucket{$process, ${PEOPLE}}${RATE}))))`,
    }),
    chart(
      'Errors by code',
      'Errors per second by their code. docs/errors.md explains each. too_many_requests: a client or a password is throttled.',
      'reqps',
      12,
      { '{{code}}': `sum by (code) (rate(portbook_http_problems_total{$process}${RATE}))` },
    ),
    chart('Connections of clients', 'Open connections, by process.', 'short', 12, {
      '{{instance}}': 'portbook_http_connections{$process}',
    }),
  ],
}

const lanes: Row = {
  title: 'Lanes',
  panels: [
    chart(
      'Waiting time',
      'How long requests wait for their turn, 95th percentile by lane. Normal: a few milliseconds.',
      's',
      8,
      {
        '{{lane}}': `histogram_quantile(0.95, sum by (le, lane) (rate(portbook_lane_wait_seconds_bucket{$process}${RATE})))`,
      },
      'laneWait',
    ),
    chart('Waiting requests', 'Requests that wait for their turn, by lane.', 'short', 8, {
      '{{lane}}': 'sum by (lane) (portbook_lane_waiting{$process})',
    }),
    chart(
      'Rejected requests',
      'Requests per second that were answered 503 because too many wait. Normal: 0.',
      'reqps',
      8,
      { '{{lane}}': `sum by (lane) (rate(portbook_lane_rejected_total{$process}${RATE}))` },
      'rejections',
    ),
  ],
}

const store: Row = {
  title: 'Database',
  panels: [
    chart('Connections', 'Connections by pool, of all processes.', 'short', 8, {
      '{{pool}}': 'sum by (pool) (portbook_store_connections{$process})',
      '{{pool}} at most': 'sum by (pool) (portbook_store_connections_max{$process})',
    }),
    chart('Statements that wait', 'Statements that wait for a connection. Normal: 0.', 'short', 8, {
      '{{pool}}': 'sum by (pool) (portbook_store_waiting{$process})',
    }),
    chart(
      'Failures',
      'Statements and connections that failed, in five minutes, by kind. A few conflicts are normal: they are repeated.',
      'short',
      8,
      { '{{kind}}': 'sum by (kind) (increase(portbook_store_errors_total{$process}[5m])) > 0' },
      'outcomeUnknown',
    ),
    chart(
      'Free disk',
      "Share of the disk of Portbook's own PostgreSQL that is free. Empty with DATABASE_URL.",
      'percentunit',
      8,
      {
        '{{instance}}':
          'portbook_store_disk_free_bytes{$process} / portbook_store_disk_size_bytes{$process}',
      },
      'freeDisk',
    ),
    chart('Largest tables', 'Sizes with indexes, of the ten largest tables.', 'bytes', 16, {
      '{{table}}': 'topk(10, max by (table) (portbook_table_bytes{$process}))',
    }),
  ],
}

const feed: Row = {
  title: 'Feed and deliveries',
  panels: [
    chart(
      'Lag of followers',
      'Age of the oldest change that a follower has not handled. Normal: below a second.',
      's',
      8,
      { '{{follower}}': 'max by (follower) (portbook_follower_lag_seconds{$process})' },
      'followerLag',
    ),
    chart(
      'Failures of followers',
      'Failures in five minutes; a follower repeats them. Normal: 0.',
      'short',
      8,
      {
        '{{follower}}':
          'sum by (follower) (increase(portbook_follower_failures_total{$process}[5m]))',
      },
      'followerFailures',
    ),
    chart('Waiting deliveries', 'E-mails, chat messages and webhooks that wait.', 'short', 8, {
      '{{channel}}': 'max by (channel) (portbook_deliveries_waiting{$process})',
    }),
    chart(
      'Oldest delivery',
      'How long the oldest waiting delivery has waited. A receiver that rejects messages keeps this high for up to three days.',
      's',
      12,
      { '{{channel}}': 'max by (channel) (portbook_delivery_oldest_seconds{$process})' },
      'deliveryAge',
    ),
    chart('Attempts at deliveries', 'Attempts per second, by channel and result.', 'ops', 12, {
      '{{channel}} {{result}}': `sum by (channel, result) (rate(portbook_delivery_attempts_total{$process}${RATE}))`,
    }),
  ],
}

const runs: Row = {
  title: 'Ingestion runs',
  panels: [
    chart('Runs', 'Runs that have not ended, by state.', 'short', 8, {
      '{{state}}': 'max by (state) (portbook_runs{$process})',
    }),
    chart(
      'Waiting for a worker',
      'How long the first run has waited. Normal: below a second.',
      's',
      8,
      { 'oldest run': 'max(portbook_run_oldest_waiting_seconds{$process})' },
      'runWait',
    ),
    chart('Ended runs', 'Runs that ended in an hour, by status.', 'short', 8, {
      '{{status}}': 'sum by (status) (increase(portbook_runs_ended_total{$process}[1h]))',
    }),
  ],
}

const upkeep: Row = {
  title: 'Upkeep',
  panels: [
    chart(
      'Jobs',
      'Time since each job last succeeded, as a share of the time after which it is late. Normal: below 1.',
      'percentunit',
      12,
      {
        '{{name}}':
          '(time() - max by (name) (portbook_job_last_success_timestamp_seconds{$process})) / max by (name) (portbook_job_late_after_seconds{$process})',
      },
      'jobAge',
    ),
    chart(
      'Unsealed activity',
      'Age of the oldest entry of the activity without a seal. Normal: up to two minutes.',
      's',
      6,
      { age: 'max(portbook_activity_unsealed_seconds{$process})' },
      'activityAge',
    ),
    chart(
      'Age of these numbers',
      'Time since a process last read the state of background work. Normal: up to 30 seconds.',
      's',
      6,
      { age: 'time() - max(portbook_state_read_timestamp_seconds{$process})' },
      'stateAge',
    ),
  ],
}

const processes: Row = {
  title: 'Processes',
  panels: [
    chart('Processor', 'Processors in use.', 'short', 8, {
      '{{instance}}': `rate(process_cpu_seconds_total{$process}${RATE})`,
    }),
    chart('Memory', 'Memory of the process, and of JavaScript objects in it.', 'bytes', 8, {
      '{{instance}}': 'process_resident_memory_bytes{$process}',
      '{{instance}} objects': 'nodejs_heap_size_used_bytes{$process}',
    }),
    chart(
      'Blocked for',
      'How long everything in a process waits, 99th percentile between two scrapes. Normal: 20 to 50 milliseconds.',
      's',
      8,
      { '{{instance}}': 'nodejs_eventloop_lag_p99_seconds{$process}' },
      'eventLoopLag',
    ),
    chart('Garbage collection', 'Share of the time that is spent on it.', 'percentunit', 8, {
      '{{instance}}': `sum by (instance) (rate(nodejs_gc_duration_seconds_sum{$process}${RATE}))`,
    }),
    chart(
      'Open files',
      'Open files and connections, as a share of what the operating system allows.',
      'percentunit',
      8,
      { '{{instance}}': 'process_open_fds{$process} / process_max_fds{$process}' },
      'openFiles',
    ),
    chart('Threads', 'Documents that wait for a thread. Normal: 0.', 'short', 8, {
      '{{instance}} threads': 'portbook_threads{$process}',
      '{{instance}} waiting': 'portbook_thread_tasks_waiting{$process}',
    }),
    chart(
      'Restarts',
      'Restarts in half an hour. Normal: 0.',
      'short',
      12,
      { '{{instance}}': 'changes(process_start_time_seconds{$process}[30m])' },
      'restarts',
    ),
    chart(
      'Lost log lines',
      'Lines that could not be written in five minutes. Normal: 0.',
      'short',
      12,
      { '{{instance}}': 'increase(portbook_log_lines_dropped_total{$process}[5m])' },
      'droppedLogLines',
    ),
  ],
}

/** Every row of the dashboard. */
export const ROWS: readonly Row[] = [state, traffic, lanes, store, feed, runs, upkeep, processes]
