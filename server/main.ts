import { parseArgs } from 'node:util'
import { api } from './api.ts'
import { ConfigError, readConfig, type Config } from './config.ts'
import { EncryptionKeyMismatch } from './encryption.ts'
import { verifyFeed } from './events/epoch-service.ts'
import { urlOf } from './http/server.ts'
import { openApiDocument } from './http/openapi.ts'
import { SecretUnreadable } from './integrations/service.ts'
import { storeClock } from './kit/clock.ts'
import { SchemaMismatch } from './kit/migrate.ts'
import { openLog, type Log } from './kit/log.ts'
import { LocalPostgresError } from './postgres/local-postgres-error.ts'
import { rotateKey } from './rotate.ts'
import { ensureIndex } from './search/rebuild-service.ts'
import { serve } from './serve.ts'
import { openStore, type Store } from './store.ts'
import { exportStore } from './transfer/export.ts'
import { importStore } from './transfer/import.ts'
import { TransferRefused } from './transfer/tables.ts'
import { verifyStore } from './transfer/verify.ts'
import { createOperatorLinks } from './users/reset-service.ts'
import { VERSION } from './version.ts'
import { workAlone } from './work.ts'

// The commands. Without one the product serves.

const USAGE = `usage: portbook [serve [--demo]] | work | migrate | openapi | export <file> | import <file> | verify | rotate-key | reset-password <address>
`

// Longer than requests and the store have together when all is well.
const STOP_MS_MAX = 20_000
const WORK_GRACE_MS = 10_000

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { demo: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  })
  const [command = 'serve', ...operands] = positionals
  if (values.help === true) process.stdout.write(USAGE)
  else if (command === 'serve' && operands.length === 0) await runServer(readConfig(), values.demo)
  else if (command === 'work' && operands.length === 0) await runWorkers(readConfig())
  else if (command === 'migrate' && operands.length === 0) await runMigrations()
  else if (command === 'openapi' && operands.length === 0) printOpenApi()
  else if (command === 'export' && operands.length === 1) await runExport(operands[0] ?? '')
  else if (command === 'import' && operands.length === 1) await runImport(operands[0] ?? '')
  else if (command === 'verify' && operands.length === 0) await runVerification()
  else if (command === 'rotate-key' && operands.length === 0) await runKeyRotation()
  else if (command === 'reset-password' && operands.length === 1)
    await printResetLinks(operands[0] ?? '')
  else fail(USAGE.trimEnd(), 2)
}

async function runServer(config: Config, demo: boolean): Promise<void> {
  await runUntilStopped(config, async (log) => {
    const serving = await serve(config, log, { demo })
    return { firstLine: `portbook listening on ${serving.url}`, close: () => serving.close() }
  })
}

async function runWorkers(config: Config): Promise<void> {
  await runUntilStopped(config, async (log) => {
    const ingestion = await workAlone(config, log)
    return { firstLine: 'portbook working', close: () => ingestion.stop(WORK_GRACE_MS) }
  })
}

/** What goes on until the operator ends it. */
interface Running {
  firstLine: string
  close(): Promise<void>
}

async function runUntilStopped(
  config: Config,
  start: (log: Log) => Promise<Running>,
): Promise<void> {
  const { log, flush } = openLog(config.logLevel)
  // Crash-only: what is not understood ends the process, and the next start finds all that was
  // acknowledged.
  const crash = (error: unknown): void => {
    log.fatal({ err: error }, 'the process ends on an error that nothing expected')
    flush()
    process.exit(1)
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
  const running = await start(log)
  let stopping = false
  const stop = (reason: string): void => {
    if (stopping) return
    stopping = true
    log.info({ reason }, 'stopping')
    setTimeout(() => crash(new Error('stopping took too long')), STOP_MS_MAX).unref()
    void running.close().then(() => {
      flush()
      process.exit(0)
    }, crash)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // The last thing of a start: whoever reads the line may stop the process at once.
  process.stdout.write(`${running.firstLine}\n`)
  // The launcher that npm runs holds a channel to this process: it ends with the launcher.
  process.once('disconnect', () => stop('the launcher ended'))
}

async function runMigrations(): Promise<void> {
  await onStore(async () => process.stdout.write('the schema is up to date\n'))
}

async function runExport(path: string): Promise<void> {
  await onStore(async ({ connection }) => {
    const rows = await exportStore(connection, path, VERSION)
    process.stdout.write(`exported to ${path}: ${countsIn(rows)}\n`)
  })
}

async function runImport(path: string): Promise<void> {
  await onStore(async ({ connection, db }) => {
    const rows = await importStore(connection, path)
    await ensureIndex(db)
    process.stdout.write(`imported from ${path}: ${countsIn(rows)}\n`)
  })
}

async function runVerification(): Promise<void> {
  await onStore(async ({ db }) => {
    for (const { rule, findings } of [...(await verifyStore(db)), ...(await verifyFeed(db))]) {
      const verdict = findings.length === 0 ? 'ok  ' : 'FAIL'
      process.stdout.write(`${verdict} ${[rule, ...findings].join('\n       ')}\n`)
      if (findings.length > 0) process.exitCode = 1
    }
  })
}

async function runKeyRotation(): Promise<void> {
  await onStore(async ({ db }, config) => {
    const { fromKeyId, toKeyId, ...rotation } = await rotateKey(config, db)
    const { resealedCount, unreadableCount, keyFile } = rotation
    const before = fromKeyId === toKeyId ? '' : `, no longer ${fromKeyId}`
    const where = keyFile ?? 'set PORTBOOK_ENCRYPTION_KEY to it'
    const lines = [
      `${resealedCount} credentials re-sealed`,
      `the encryption key of this store is ${toKeyId}${before} (${where})`,
    ]
    if (unreadableCount > 0) {
      lines.push(`${unreadableCount} credentials are sealed with an unknown key: set them again`)
    }
    process.stdout.write(`${lines.join('\n')}\n`)
  })
}

async function printResetLinks(email: string): Promise<void> {
  await onStore(async ({ db }, config) => {
    const { host, port } = config
    if (config.baseUrl === undefined && port === 0) {
      throw new ConfigError('set PORTBOOK_BASE_URL or PORT, so that the link leads to the server')
    }
    const baseUrl = config.baseUrl ?? urlOf(host, port)
    const links = await createOperatorLinks(db, storeClock, { baseUrl, email })
    for (const { link, organizations } of links) {
      // One account is the rule; several need a word about which is whose.
      const names = links.length === 1 ? '' : ` (${organizations.join(', ')})`
      process.stdout.write(`${link}${names}\n`)
    }
  })
}

async function onStore(work: (store: Store, config: Config) => Promise<unknown>): Promise<void> {
  const config = readConfig()
  const { log } = openLog(config.logLevel)
  const store = await openStore(config, log, 'command')
  try {
    await work(store, config)
  } finally {
    await store.close()
  }
}

function countsIn(rows: Record<string, number>): string {
  return Object.entries(rows)
    .map(([table, count]) => `${count} ${table}`)
    .join(', ')
}

function printOpenApi(): void {
  process.stdout.write(`${JSON.stringify(openApiDocument(api, VERSION), null, 2)}\n`)
}

function fail(message: string, code: number): never {
  process.stderr.write(`portbook: ${message}\n`)
  process.exit(code)
}

const EXPECTED = [
  ConfigError,
  SchemaMismatch,
  LocalPostgresError,
  EncryptionKeyMismatch,
  SecretUnreadable,
  TransferRefused,
]

main().catch((error: unknown) => {
  if (EXPECTED.some((kind) => error instanceof kind) && error instanceof Error)
    fail(error.message, 1)
  if (error instanceof Error && 'code' in error) fail(error.message || String(error.code), 1)
  process.stderr.write(
    `portbook: ${error instanceof Error ? (error.stack ?? error) : String(error)}\n`,
  )
  process.exit(1)
})
