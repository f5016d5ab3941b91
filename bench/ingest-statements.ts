import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { CONNECTORS } from '../server/connectors/connectors.ts'
import type { SourceSession } from '../server/connectors/connector.ts'
import { NO_FILTERS } from '../server/connectors/filter.ts'
import { newDialer } from '../server/platform/kit/dialer.ts'
import type { BenchSource } from './ingest-source.ts'

/** The statements and duration of a connector that reads a whole source. */
export interface Reading {
  /** The sent texts in order; one text may have several statements. */
  statements: string[]
  assetsCount: number
  /** The duration of only the reading: nothing is staged or published. */
  seconds: number
}

/**
 * Reads a source with its connector through a recording proxy, so that the count does not depend on reports of the
 * connector.
 */
export async function readListened(source: BenchSource): Promise<Reading> {
  const wire = await listenIn(source)
  try {
    const reading = await read(source, wire.port)
    return { ...reading, statements: wire.statements }
  } finally {
    wire.close()
  }
}

async function read(source: BenchSource, port: number): Promise<Omit<Reading, 'statements'>> {
  const connector = CONNECTORS.get(source.source)
  if (connector === undefined) throw new Error(`Unknown connector ${source.source}`)
  const { description } = connector
  const startedAtMs = performance.now()
  const session = await connector.open({
    configuration: description.configuration.parse({ ...source.configuration, port }),
    filters: NO_FILTERS,
    secrets: source.secrets,
    dialer: newDialer({ privateAddresses: 'allow', allowed: [], ownStore: undefined }),
    signal: new AbortController().signal,
    log: () => undefined,
    sent: () => undefined,
  })
  const assetsCount = await countAssets(session)
  await session.close()
  return { assetsCount, seconds: (performance.now() - startedAtMs) / 1000 }
}

/** Reads all included scopes of a session and counts the assets. */
export async function countAssets(session: SourceSession): Promise<number> {
  const scopes = await Array.fromAsync(session.scopes())
  const included = scopes.filter(({ decision }) => decision === 'included')
  let count = 0
  for (const together of Map.groupBy(included, ({ reading }) => reading).values()) {
    for await (const { assets } of session.read(together)) count += assets.length
  }
  return count
}

/** Forwards all data to a source and back, and records the statements. */
async function listenIn(
  source: BenchSource,
): Promise<{ port: number; statements: string[]; close(): void }> {
  const statements: string[] = []
  const server = createServer((client) => {
    const note = source.source === 'postgres' ? postgresNotes(statements) : mysqlNotes(statements)
    const behind = connect(source.port, '127.0.0.1')
    behind.setNoDelay(true)
    client.setNoDelay(true).on('data', note)
    handOn(client, behind)
    handOn(behind, client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, statements, close: () => server.close() }
}

function handOn(from: Socket, to: Socket): void {
  from.pipe(to)
  from.on('error', () => to.destroy()).on('close', () => to.destroy())
}

/**
 * Records the statements of a PostgreSQL client: messages of type Query and Parse
 * (https://www.postgresql.org/docs/18/protocol-message-formats.html).
 */
function postgresNotes(statements: string[]): (chunk: Buffer) => void {
  let isStarting = true
  return messages((waiting) => {
    const typeBytes = isStarting ? 0 : 1
    if (waiting.length < typeBytes + 4) return undefined
    const bytes = typeBytes + waiting.readUInt32BE(typeBytes)
    if (waiting.length < bytes) return undefined
    const type = isStarting ? '' : waiting.toString('latin1', 0, 1)
    isStarting = false
    const texts = waiting.toString('utf8', 5, bytes).split('\0')
    if (type === 'Q') statements.push(texts[0] ?? '')
    if (type === 'P') statements.push(texts[1] ?? '')
    return bytes
  })
}

const COM_QUERY = 3
const COM_STMT_PREPARE = 22

/** Records the statements of a MariaDB client: the first packet of each command (https://mariadb.com/kb/en/0-packet/). */
function mysqlNotes(statements: string[]): (chunk: Buffer) => void {
  return messages((waiting) => {
    if (waiting.length < 4) return undefined
    const bytes = 4 + waiting.readUIntLE(0, 3)
    if (waiting.length < bytes) return undefined
    const isFirst = waiting[3] === 0
    if (isFirst && (waiting[4] === COM_QUERY || waiting[4] === COM_STMT_PREPARE)) {
      statements.push(waiting.toString('utf8', 5, bytes))
    }
    return bytes
  })
}

/** Assembles messages from chunks; `take` returns the size of the first message once it is complete. */
function messages(take: (waiting: Buffer) => number | undefined): (chunk: Buffer) => void {
  let waiting: Buffer = Buffer.alloc(0)
  return (chunk) => {
    waiting = Buffer.concat([waiting, chunk])
    for (let bytes = take(waiting); bytes !== undefined; bytes = take(waiting)) {
      waiting = waiting.subarray(bytes)
    }
  }
}
