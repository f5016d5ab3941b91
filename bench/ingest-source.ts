import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, createWriteStream, openSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import mysql from 'mysql2/promise'
import { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { startMariadb } from '../test/mariadb.ts'
import { startPostgres } from '../test/postgres.ts'
import { mariadbTables, postgresTables, type SourceExtent } from '../test/source-schema.ts'

/** A source platform with many tables, and queries with its own client. */
export interface BenchSource {
  /** The connector's name. */
  source: 'postgres' | 'mariadb'
  port: number
  /** In the form that the connector requires. */
  configuration: Record<string, unknown>
  secrets: Record<string, string>
  /** Returns whether the catalog stores the rows of a statement. */
  isLarge(statement: string): boolean
  /** Sends statements sequentially with the platform's own client and discards the rows. */
  discard(statements: readonly string[]): Promise<void>
  /** Sends statements; writes their rows to a file, one tab-separated line each, with `\N` or NULL for null. */
  save(statements: readonly string[], file: string): Promise<void>
  stop(): Promise<void>
}

/** Starts a PostgreSQL and creates tables in its only database. */
export async function startPostgresSource(extent: SourceExtent): Promise<BenchSource> {
  // The tables only have rows in the system catalogs, so vacuum has nothing to do.
  const server = await startPostgres({ settings: { autovacuum: 'off' } })
  const client = new Client({ connectionString: server.url })
  await client.connect()
  for (const statement of postgresTables(extent)) await client.query(statement)
  // Otherwise the first reader would write the dirty pages of the setup.
  await client.query('checkpoint')
  await client.end()
  const { port, password } = parseUrl(server.url)
  const configuration = { host: '127.0.0.1', port, user: 'postgres', sslMode: 'disable' }
  const environment = {
    PGHOST: '127.0.0.1',
    PGPORT: String(port),
    PGUSER: 'postgres',
    PGPASSWORD: password,
  }
  const send = async (statements: readonly string[], file: string): Promise<void> => {
    if (!isInstalled('psql')) return await sendByDriver(server.url, statements, file)
    const commands = statements.flatMap((statement) => ['-c', statement])
    const options = ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', 'postgres']
    await runClient('psql', [...options, ...commands], { environment, file })
  }
  return {
    source: 'postgres',
    port,
    configuration,
    secrets: { password },
    isLarge: isCopy,
    discard: (statements) => send(statements, '/dev/null'),
    save: send,
    stop: () => server.stop(),
  }
}

/** Starts a MariaDB and creates tables. */
export async function startMariadbSource(extent: SourceExtent): Promise<BenchSource> {
  // The data need not survive a crash of the machine.
  const settings = { 'innodb-flush-method': 'nosync', 'table-definition-cache': '2000' }
  const server = await startMariadb({ settings })
  const { host, port, user, password } = server
  const connection = await mysql.createConnection({ host, port, user, password })
  for (const statement of mariadbTables(extent)) await connection.query(statement)
  await connection.end()
  const options = [
    '--no-defaults',
    '-h',
    host,
    '-P',
    String(port),
    '-u',
    user,
    '-N',
    '-B',
    '--quick',
  ]
  const send = async (statements: readonly string[], file: string): Promise<void> => {
    const input = statements.map((statement) => `${statement};\n`).join('')
    const environment = { MYSQL_PWD: password }
    await runClient('mariadb', [...options, '--force'], { environment, file, input })
  }
  return {
    source: 'mariadb',
    port,
    configuration: { host, port, user, ssl: 'off' },
    secrets: { password },
    isLarge: (statement) => statement.includes('order by 1, 2, 3, 4'),
    discard: (statements) => send(statements, '/dev/null'),
    save: send,
    stop: () => server.stop(),
  }
}

function parseUrl(url: string): { port: number; password: string } {
  const { port, password } = new URL(url)
  return { port: Number(port), password }
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0
}

// One statement reads a missing table on purpose, to see the server's error.
const ERRORS = /^(?!ERROR 1146 ).*(?:ERROR|error)\b.*$/gm

async function runClient(
  program: string,
  commandLine: readonly string[],
  given: { environment: Record<string, string>; file: string; input?: string },
): Promise<void> {
  const output = openSync(given.file, 'w')
  const child = spawn(program, commandLine, {
    env: { PATH: process.env.PATH, ...given.environment },
    stdio: ['pipe', output, 'pipe'],
  })
  closeSync(output)
  let errorText = ''
  child.stderr?.on('data', (chunk: Buffer) => (errorText += chunk.toString()))
  child.stdin?.end(given.input ?? '')
  await once(child, 'close')
  const errors = errorText.match(ERRORS)
  if (errors !== null) throw new Error(`${program} failed: ${errors.join('\n').slice(0, 2000)}`)
}

// Without an installed client, the driver sends the statements and ignores the rows.
async function sendByDriver(
  url: string,
  statements: readonly string[],
  file: string,
): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) {
    if (isCopy(statement)) {
      await pipeline(client.query(copyTo(statement)), createWriteStream(file, { flags: 'a' }))
    } else {
      await client.query(statement)
    }
  }
  await client.end()
}

function isCopy(statement: string): boolean {
  return statement.trimStart().startsWith('copy')
}
