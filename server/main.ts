import { api } from './api.ts'
import { formatHelp, formatUsage, parseCommandLine } from './command-line.ts'
import { COMMANDS, type CommandName } from './command-table.ts'
import {
  runBackup,
  runDomainVerification,
  runErasing,
  runExport,
  runImport,
  runKeyRotation,
  runMigrations,
  runAllowingAnySignIn,
  runPasswordReset,
  runRestore,
  runTestMail,
  runVerification,
} from './commands.ts'
import { formatCommand } from './platform/command-name.ts'
import { ConfigError, readConfig, type Config } from './platform/config.ts'
import { EncryptionKeyMismatch } from './encryption.ts'
import { openApiDocument } from './requests/http/openapi.ts'
import { SecretUnreadable } from './platform/sealed-secrets.ts'
import {
  isCorruption,
  isReadOnlyFailure,
  StoreUnavailable,
  toStoreUnavailable,
} from './platform/kit/store-errors.ts'
import { SchemaMismatch } from './platform/kit/migrate.ts'
import { MigrationBlocked } from './platform/kit/migration-turns.ts'
import { MailFailure } from './platform/kit/smtp-client.ts'
import { openLog, type Log, type OpenLog } from './platform/kit/log.ts'
import { print, printResult, protectOutputs, warn, formatStart } from './platform/output.ts'
import { LocalPostgresError } from './platform/postgres/local-postgres-error.ts'
import { getTraceFields, type Tracer } from './platform/kit/tracing.ts'
import type { TracingSettings } from './platform/kit/tracing-settings.ts'
import { serve } from './serve.ts'
import { TransferError } from './transfer/transfer-error.ts'
import { VERSION } from './platform/version.ts'
import { workAlone } from './work.ts'

/** The function of each command. `operand` is empty if it has none. */
const RUNNERS: Readonly<
  Record<CommandName, (operand: string, options: ReadonlySet<string>) => Promise<void>>
> = {
  serve: (_, options) => runServer(readConfig(), options.has('demo')),
  work: (_, options) => runWorkers(readConfig(), options.has('demo')),
  migrate: runMigrations,
  backup: runBackup,
  restore: runRestore,
  verify: runVerification,
  export: runExport,
  import: runImport,
  'rotate-key': runKeyRotation,
  'reset-password': runPasswordReset,
  'allow-any-sign-in': runAllowingAnySignIn,
  erase: runErasing,
  'verify-domain': runDomainVerification,
  'send-test-mail': runTestMail,
  openapi: async () => printOpenApi(),
}

// Longer than requests and the database normally need to end.
const STOP_MS_MAX = 20_000
const WORK_GRACE_MS = 10_000
// A process that is asked to stop while it starts stops after the start, unless that takes longer.
const START_GRACE_MS = 1_000
// The last spans; a collector that does not answer must not delay the end.
const TRACES_MS_MAX = 3_000

async function main(): Promise<void> {
  protectOutputs()
  const program = formatCommand()
  const parsed = parseCommandLine(process.argv.slice(2), COMMANDS, program)
  if (parsed.kind === 'mistake') return fail(parsed.message, 2)
  if (parsed.kind === 'version') return print(VERSION)
  if (parsed.kind === 'help') {
    const { command } = parsed
    return print(
      command === undefined ? formatUsage(COMMANDS, program) : formatHelp(command, program),
    )
  }
  await RUNNERS[parsed.command.name](parsed.operand, parsed.options)
}

async function runServer(config: Config, demo: boolean): Promise<void> {
  await runUntilStopped(config, async ({ log, countDropped }, tracer) => {
    const isTerminal = process.stdout.isTTY
    const serving = await serve(config, log, {
      demo,
      logsSetupLink: !isTerminal,
      countDroppedLines: countDropped,
      tracer,
    })
    return { text: formatStart(serving, isTerminal), close: () => serving.close() }
  })
}

async function runWorkers(config: Config, demo: boolean): Promise<void> {
  await runUntilStopped(config, async ({ log, countDropped }, tracer) => {
    const options = { demo, tracer, countDroppedLines: countDropped }
    const ingestion = await workAlone(config, log, options)
    return { text: 'portbook working', close: () => ingestion.stop(WORK_GRACE_MS) }
  })
}

/** A server or worker that runs until the operator stops it. */
interface Running {
  /** The text that is printed on standard output when it is ready. */
  text: string
  close(): Promise<void>
}

async function runUntilStopped(
  config: Config,
  start: (opened: OpenLog, tracer: Tracer | undefined) => Promise<Running>,
): Promise<void> {
  const { tracing } = config
  const opened = openLog(config.logLevel, tracing === undefined ? undefined : getTraceFields)
  const { log, flush } = opened
  // Crash-only: an unexpected error ends the process, and the next start finds all acknowledged data.
  const crash = (error: unknown): void => {
    log.fatal({ err: error }, 'an unexpected error ends the process')
    flush()
    process.exit(1)
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
  const starting = holdSignals()
  const tracer = tracing === undefined ? undefined : await loadTracer(tracing, log)
  const running = await start(opened, tracer)
  let stopping = false
  const stop = (reason: string): void => {
    if (stopping) return
    stopping = true
    log.info({ reason }, 'stopping')
    setTimeout(() => crash(new Error('stopping took too long')), STOP_MS_MAX).unref()
    void running
      .close()
      .then(() => tracer?.close(TRACES_MS_MAX))
      .then(() => opened.close())
      .then(() => process.exit(0), crash)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  starting.end(stop)
  // The last step of a start, because a reader of the line may stop the process immediately.
  print(running.text)
  // The launcher that npm runs has a channel to this process, which ends with the launcher.
  process.once('disconnect', () => stop('the launcher ended'))
}

// The library takes time and memory, so a process without a collector does not load it.
async function loadTracer(settings: TracingSettings, log: Log): Promise<Tracer> {
  const { openTracer } = await import('./platform/kit/tracing-sdk.ts')
  return openTracer(settings, VERSION, log)
}

// A server answers before its start is complete: a signal in between must not end it without closing.
function holdSignals(): { end(stop: (signal: string) => void): void } {
  let held: NodeJS.Signals | undefined
  const hold = (signal: NodeJS.Signals): void => {
    if (held !== undefined) return
    held = signal
    setTimeout(raise, START_GRACE_MS, signal).unref()
  }
  let isEnded = false
  const release = (): void => {
    process.off('SIGTERM', hold)
    process.off('SIGINT', hold)
  }
  const raise = (signal: NodeJS.Signals): void => {
    if (isEnded) return
    release()
    process.kill(process.pid, signal)
  }
  process.on('SIGTERM', hold)
  process.on('SIGINT', hold)
  return {
    end(stop) {
      isEnded = true
      release()
      if (held !== undefined) stop(held)
    },
  }
}

function printOpenApi(): void {
  printResult(JSON.stringify(openApiDocument(api, VERSION), null, 2))
}

function fail(message: string, code: number): never {
  warn(message)
  process.exit(code)
}

const EXPECTED = [
  ConfigError,
  SchemaMismatch,
  MigrationBlocked,
  LocalPostgresError,
  EncryptionKeyMismatch,
  MailFailure,
  SecretUnreadable,
  TransferError,
]

/** Returns the message for the operator, or the stack of an unexpected error. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (EXPECTED.some((kind) => error instanceof kind)) return error.message
  if (isCorruption(error)) {
    return `The database is damaged (${findRootCause(error).message}). Restore a backup into an empty database with: ${formatCommand('restore <file or folder>')}`
  }
  if (error instanceof StoreUnavailable && isReadOnlyFailure(error)) {
    return `The database accepts no writes (${findRootCause(error).message}). Start again when it does.`
  }
  // An error without a code does not come from PostgreSQL: the driver has lost the connection.
  const isLost = !('code' in error) && toStoreUnavailable(error) !== undefined
  if (isLost || error instanceof StoreUnavailable) {
    return `The database cannot be reached: ${findRootCause(error).message}`
  }
  if (!('code' in error)) return error.stack ?? error.message
  return error.message || String(error.code)
}

function findRootCause(error: Error): Error {
  return error.cause instanceof Error ? findRootCause(error.cause) : error
}

main().catch((error: unknown) => fail(describe(error), 1))
