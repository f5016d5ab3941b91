import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Setup } from '../connector.ts'
import { toUrl } from '../http/address.ts'
import type { JsonClient, JsonRequest } from '../http/json-client.ts'
import { runRemoteStatement } from '../http/remote-statement.ts'
import { openSessionClient, type SessionClient } from '../http/session-client.ts'
import type { Wait } from '../http/transport.ts'
import { getAddress } from './account.ts'
import { errorAnswer, partitionAnswer, statementAnswer } from './answers.ts'
import type { SnowflakeConfiguration } from './configuration.ts'
import { newCredentials } from './credentials.ts'
import { assertWholeResult, toRows, type ResultRow } from './result-row.ts'
import { toStoredName } from './sql-text.ts'
import { describeRejection, toStatementFailure, toSubmissionFailure } from './statement-error.ts'

/** The subject of messages. */
export const SERVICE = 'Snowflake'

const CONNECTIONS_MAX = 4
/** The smallest that Snowflake accepts. */
const PARTITION_MEGABYTES_MAX = 48
const POLL_MS = { first: 25, max: 5000 }
/** Snowflake ends a statement after its timeout; this is added for queues and delays. */
const GRACE_MS = 60_000

/** A statement. */
interface SnowflakeStatement {
  sql: string
  /** The subject of an error: `the columns of SALES.PUBLIC`. */
  what: string
}

/** The client of an account. */
export interface SnowflakeClient {
  configuration: SnowflakeConfiguration
  setup: Setup
  /** The host in its address, without a port. */
  host: string
  /**
   * Runs a statement and yields its rows, partition by partition. If it ends early, the statement is
   * cancelled. Errors: SourceFailure.
   */
  run(statement: SnowflakeStatement): AsyncGenerator<ResultRow[]>
  close(): Promise<void>
}

interface Access extends SessionClient {
  configuration: SnowflakeConfiguration
}

/** Opens a client; the first request authenticates. Errors: SourceFailure auth. */
export async function openSnowflakeClient(
  configuration: SnowflakeConfiguration,
  setup: Setup,
  wait?: Wait,
): Promise<SnowflakeClient> {
  const session = await openSessionClient(setup, {
    service: SERVICE,
    connectionsMax: CONNECTIONS_MAX,
    wait,
    newCredentials: (transport) => newCredentials(configuration, setup.secrets, transport),
    describeRejection: ({ json }) => describeRejection(json),
    // 202: the statement is still running.
    isSuccess: ({ status }) => status === 200 || status === 202,
  })
  const access = { ...session, configuration }
  return {
    configuration,
    setup,
    host: new URL(getAddress(configuration)).hostname,
    run: (statement) => runStatement(access, statement),
    close: session.close,
  }
}

async function* runStatement(
  access: Access,
  statement: SnowflakeStatement,
): AsyncGenerator<ResultRow[]> {
  const { configuration } = access
  const { what } = statement
  const {
    result: { metadata, data },
    handle: address,
  } = await runRemoteStatement(access, {
    what,
    pollMs: { ...POLL_MS, total: configuration.statementTimeoutMs + GRACE_MS },
    start: (starter) => submit(starter, configuration, statement),
    getResult: (answer) =>
      answer.resultSetMetaData && { metadata: answer.resultSetMetaData, data: answer.data ?? [] },
    async poll(client, url) {
      const polled = await client.ask(toRequest(url), statementAnswer)
      // Snowflake has ended a statement that fails.
      return 'status' in polled
        ? toStatementFailure(polled.status, polled.body, what)
        : polled.value
    },
    cancel: (client, url) =>
      client.ask(toRequest(new URL(`${url.href}/cancel`), { body: {} }), errorAnswer),
  })
  assertWholeResult(metadata, what)
  yield toRows(metadata, 0, data, what)
  for (let partition = 1; partition < metadata.partitionInfo.length; partition += 1) {
    const url = new URL(`${address.href}?partition=${partition}`)
    const next = await access.client.ask(toRequest(url), partitionAnswer)
    if ('status' in next) throw toStatementFailure(next.status, next.body, what)
    yield toRows(metadata, partition, next.value.data, what)
  }
}

async function submit(
  starter: JsonClient,
  configuration: SnowflakeConfiguration,
  statement: SnowflakeStatement,
): Promise<{ answer: z.infer<typeof statementAnswer>; handle: URL }> {
  const base = getAddress(configuration)
  // The id prevents that a repeated request runs the statement twice. With `async`, the handle is known
  // from the beginning, so that the statement can be cancelled.
  const query = { requestId: randomUUID(), async: 'true' }
  const submitted = await starter.ask(
    toRequest(toUrl(base, 'api/v2/statements', query), {
      body: toBody(configuration, statement),
      retryUrl: toUrl(base, 'api/v2/statements', { ...query, retry: 'true' }),
    }),
    statementAnswer,
  )
  if ('status' in submitted) {
    throw toSubmissionFailure(submitted.status, submitted.body, statement.what)
  }
  const answer = submitted.value
  return { answer, handle: toUrl(base, `api/v2/statements/${answer.statementHandle}`) }
}

// Snowflake requires the name of the client.
function toRequest(url: URL, more: Omit<JsonRequest, 'url' | 'headers'> = {}): JsonRequest {
  return { url, headers: { 'user-agent': 'portbook/1.0' }, acceptsGzip: true, ...more }
}

function toBody(configuration: SnowflakeConfiguration, { sql }: SnowflakeStatement): unknown {
  const { warehouse, role, statementTimeoutMs, queryTag } = configuration
  return {
    statement: sql,
    timeout: Math.ceil(statementTimeoutMs / 1000),
    // The SQL API compares these with the stored names.
    ...(warehouse === undefined ? {} : { warehouse: toStoredName(warehouse) }),
    ...(role === undefined ? {} : { role: toStoredName(role) }),
    // The defaults of the account could cut results, or return larger partitions than the reader accepts.
    parameters: {
      query_tag: queryTag,
      rows_per_resultset: 0,
      client_result_chunk_size: PARTITION_MEGABYTES_MAX,
    },
  }
}
