import { Client } from 'pg'
import { ConfigError, readConfig, type Config } from './platform/config.ts'
import { assertFileKey } from './encryption.ts'
import { verifyFeed } from './ledger/events/epoch-service.ts'
import { newTestMail } from './about/test-mail-service.ts'
import { toUrl } from './requests/http/server.ts'
import { SchemaMismatch, type Migrated } from './platform/kit/migrate.ts'
import { findFirstWriter, type AppliedMigration } from './platform/kit/writable-by.ts'
import { storeClock } from './platform/kit/clock.ts'
import { openLog } from './platform/kit/log.ts'
import { MailFailure, newMailClient } from './platform/kit/smtp-client.ts'
import { print, printResult, warn } from './platform/output.ts'
import { unlessReadOnly } from './platform/kit/store-errors.ts'
import type { Purpose } from './platform/postgres/keeper.ts'
import { BACKUP } from './platform/processes/jobs.ts'
import { recordCommand } from './platform/processes/store.ts'
import { erasePerson } from './erase.ts'
import { rotateKey } from './rotate.ts'
import { ensureMappings } from './people/organization-documents/mapping-service.ts'
import { ensureIndex } from './documents/search/rebuild-service.ts'
import { openPools, openStore, type OpenedStore } from './store.ts'
import { backUp, findBackup } from './transfer/backup.ts'
import { exportStore, type ExportResult } from './transfer/export.ts'
import { importStore, type ImportResult } from './transfer/import.ts'
import { TransferError } from './transfer/transfer-error.ts'
import { CHECKS, verifyStore, type RuleResult } from './transfer/verify.ts'
import { newAccessCheck } from './transfer/verify/access.ts'
import { newFreshnessCheck, newTrustCheck } from './transfer/verify/trust.ts'
import { listOutdatedFreshness } from './reality/freshness/settle-service.ts'
import { judgeResources } from './reality/trust/settle-service.ts'
import type { Database } from './platform/tables.ts'
import { verifyDomainOfOperator } from './people/providers/operator-domain-service.ts'
import { SYSTEM } from './ledger/activity/entry.ts'
import { allowAnySignInTo } from './people/organizations/sign-in-rule-service.ts'
import { createOperatorLinks } from './people/users/reset-service.ts'
import { VERSION } from './platform/version.ts'
import { listViolations } from './reality/grants/verify-service.ts'

// The commands that run one operation on a database. Each prints a summary on standard output.

const FEED_REPAIR = 'restart Portbook, which checks the PostgreSQL server.'

/** `migrate`: applies pending migrations. */
export async function runMigrations(): Promise<void> {
  await onStore('command', async ({ store }) => printMigrations(store.migrated), 'any schema')
}

/** `export <file>`: writes an export. */
export async function runExport(path: string): Promise<void> {
  await onStore('command', async ({ store }) => {
    const exported = await exportStore(store.connection, path, VERSION)
    print(`exported to ${path}: ${formatCounts(exported.rows)}`)
    printKeyHint(exported)
  })
}

/** `import <file>`: imports an export into an empty database. */
export async function runImport(path: string): Promise<void> {
  await onStore('command', async ({ store, config, bulkDb }) => {
    const imported = await load(path, { store, config, bulkDb })
    print(`imported from ${path}: ${formatCounts(imported.rows)}`)
  })
}

/** `backup <folder>`: writes a backup. */
export async function runBackup(folder: string): Promise<void> {
  await onStore('command', async ({ store }) => {
    const startedMs = performance.now()
    const backup = await backUp(store.connection, folder, VERSION, new Date())
    const durationMs = performance.now() - startedMs
    // A database that accepts no writes can be backed up, too.
    await unlessReadOnly(() => recordCommand(store.db, storeClock, { ...BACKUP, durationMs }))
    print(`backed up to ${backup.path}: ${formatSize(backup.bytes)}, ${countRows(backup)} rows`)
    printKeyHint(backup)
  })
}

/** `restore <file or folder>`: restores a backup into an empty database that no other process uses. */
export async function runRestore(path: string): Promise<void> {
  const config = readConfig()
  const backup = await findBackup(path)
  for (const reason of backup.skipped) warn(`skipped: ${reason}`)
  const { encryptionKeys, sealedCredentials } = backup.header
  // Checked before opening the database, so that a wrong key does not leave a new database behind.
  if (sealedCredentials !== 0) assertFileKey(backup.path, config, encryptionKeys ?? [])
  if (config.databaseUrl !== undefined) await assertUnused(config.databaseUrl)
  await onStore('serving', async ({ store, bulkDb }) => {
    const imported = await load(backup.path, { store, config, bulkDb })
    print(`restored from ${backup.path}: ${formatCounts(imported.rows)}`)
    await verify(bulkDb)
  })
}

/** `verify`: checks the database. The exit code is 1 if there are findings. */
export async function runVerification(): Promise<void> {
  await onStore('command', async ({ bulkDb }) => await verify(bulkDb))
}

/** `rotate-key`: changes the encryption key. */
export async function runKeyRotation(): Promise<void> {
  await onStore('command', async ({ store, config }) => {
    const { fromKeyId, toKeyId, ...rotation } = await rotateKey(config, store.db)
    const { resealedCount, unreadableCount, keyFile } = rotation
    const before = fromKeyId === toKeyId ? '' : `, no longer ${fromKeyId}`
    const where = keyFile ?? 'set PORTBOOK_ENCRYPTION_KEY to it'
    print(`${resealedCount} credentials re-sealed`)
    print(`the encryption key of this store is ${toKeyId}${before} (${where})`)
    if (unreadableCount > 0) {
      print(`${unreadableCount} credentials are sealed with an unknown key: set them again`)
    }
  })
}

/** `reset-password <address>`: prints a one-time link for each account with the address. */
export async function runPasswordReset(email: string): Promise<void> {
  await onStore(
    'command',
    async ({ store, config }) => {
      const { host, port } = config
      if (config.baseUrl === undefined && port === 0) {
        throw new ConfigError(
          'set PORTBOOK_BASE_URL or PORT: the link needs the address of the server',
        )
      }
      const baseUrl = config.baseUrl ?? toUrl(host, port)
      const links = await createOperatorLinks(store.db, storeClock, { baseUrl, email })
      for (const { link, organizations } of links) {
        // With several accounts, the organizations show which link belongs to which account.
        const names = links.length === 1 ? '' : ` (${organizations.join(', ')})`
        printResult(`${link}${names}`)
      }
    },
    'any schema',
  )
}

/** `allow-any-sign-in <organization>`: switches off the rule that an organization requires its provider. */
export async function runAllowingAnySignIn(organization: string): Promise<void> {
  await onStore('command', async ({ store }) => {
    const isChanged = await allowAnySignInTo(store.db, organization, SYSTEM)
    print(
      isChanged
        ? `members of "${organization}" may sign in in any way again`
        : `members of "${organization}" may already sign in in any way: nothing was changed`,
    )
  })
}

/** `erase <address>`: erases a person in all organizations. */
export async function runErasing(email: string, options: ReadonlySet<string>): Promise<void> {
  await onStore('command', async ({ store, bulkDb }) => {
    await erasePerson({ db: store.db, bulkDb }, email, {
      isDryRun: options.has('dry-run'),
      isConfirmed: options.has('yes'),
      isAll: options.has('all'),
    })
  })
}

/** `verify-domain [<organization>/]<domain>`: verifies a mail domain. */
export async function runDomainVerification(operand: string): Promise<void> {
  await onStore('command', async ({ store }) => {
    const verified = await verifyDomainOfOperator(store.db, storeClock, operand)
    const { domain, organizationName, lostBy } = verified
    print(`${domain} is verified for ${organizationName}`)
    if (lostBy !== undefined) print(`${lostBy} no longer has it`)
  })
}

/** `send-test-mail <address>`: sends a test message. It needs no database. */
export async function runTestMail(to: string): Promise<void> {
  const { mail, baseUrl, host, port } = readConfig()
  if (mail === undefined) {
    throw new ConfigError(
      'set PORTBOOK_SMTP_URL and PORTBOOK_MAIL_FROM: no mail server is configured',
    )
  }
  const client = newMailClient(mail)
  try {
    await client.send(newTestMail(to, baseUrl ?? toUrl(host, port)))
    print(`the mail server ${mail.host}:${mail.port} accepted a test message to ${to}`)
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
    // The operator may see the words of the server, which help with the settings.
    throw new MailFailure(`${error.message}${cause}`, error)
  } finally {
    client.close()
  }
}

/** An open database, with a pool for long statements. */
interface Opened {
  store: OpenedStore
  config: Config
  bulkDb: Database
}

/**
 * Opens the store and calls `work`. Commands that read or change whole tables run only on the schema of this version:
 * an older one would leave out what newer migrations have added. Errors: SchemaMismatch, and those of openStore.
 */
async function onStore(
  purpose: Purpose,
  work: (opened: Opened) => Promise<void>,
  accepted: 'own schema' | 'any schema' = 'own schema',
): Promise<void> {
  const config = readConfig()
  const { log } = openLog(config.logLevel)
  const store = await openStore(config, log, purpose)
  const pools = openPools(store, log, 0)
  try {
    if (accepted === 'own schema') assertOwnSchema(store.migrated)
    await work({ store, config, bulkDb: pools.bulkDb })
  } finally {
    await pools.close()
    await store.close()
  }
}

async function load(path: string, { store, config, bulkDb }: Opened): Promise<ImportResult> {
  const { connection } = store
  const assertEncryptionKey = (keyIds: readonly string[]): void =>
    assertFileKey(path, config, keyIds)
  const imported = await importStore({ connection, path, assertEncryptionKey })
  if (!imported.hasChecksum) {
    warn(
      `${path} was written by an early version and has no checksum: changes to it cannot be detected`,
    )
  }
  await ensureMappings(bulkDb)
  await ensureIndex(bulkDb)
  return imported
}

// Portbook's own PostgreSQL has a lock for this.
async function assertUnused(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query(
      `select from pg_stat_activity
       where datname = current_database()
         and application_name = 'portbook'`,
    )
    if (rows.length === 0) return
    throw new TransferError(
      'Another Portbook process uses this database. Stop it first, then restore again.',
    )
  } finally {
    await client.end()
  }
}

async function verify(db: Database): Promise<void> {
  const access = newAccessCheck(listViolations)
  const freshness = newFreshnessCheck(listOutdatedFreshness)
  const trust = newTrustCheck(judgeResources)
  await verifyStore(db, printRule, [...CHECKS, access, freshness, trust])
  for (const { rule, findings } of await verifyFeed(db)) {
    printRule({ rule, findings, count: findings.length, repair: FEED_REPAIR })
  }
}

function assertOwnSchema({ newer }: Migrated): void {
  if (newer[0] === undefined) return
  throw new SchemaMismatch(
    `the database schema is newer than this program: it has ${newer[0].name}; run this command with the version that migrated the database`,
  )
}

function printMigrations({ applied, newer, formerCount }: Migrated): void {
  if (newer.length > 0) {
    print(`the schema is newer than this program, which may write: ${listNames(newer)}`)
  } else if (applied.length === 0) print('the schema is up to date')
  else if (formerCount === 0) print(`created the schema with ${applied.length} migrations`)
  else {
    print(`applied ${listNames(applied)}`)
    print(describeWriters(applied))
  }
}

/** Describes which processes may go on writing after some migrations. */
function describeWriters(applied: readonly AppliedMigration[]): string {
  const first = findFirstWriter(applied)
  if (first !== null) {
    return `processes of version ${first} and newer go on writing, and that version may be started again`
  }
  const blocking = applied.filter(({ writableBy }) => writableBy === null)
  return `older processes only read until they are replaced, because of ${listNames(blocking)}`
}

function listNames(migrations: readonly AppliedMigration[]): string {
  return migrations.map(({ name }) => name).join(', ')
}

function printRule({ rule, count, findings, repair }: RuleResult): void {
  print(`${count === 0 ? 'ok  ' : 'FAIL'} ${rule}`)
  if (count === 0) return
  process.exitCode = 1
  for (const finding of findings) print(`       ${finding}`)
  if (count > findings.length) print(`       and ${count - findings.length} more`)
  print(`       Repair: ${repair}`)
}

function printKeyHint({ encryptionKey }: ExportResult): void {
  if (encryptionKey === undefined) return
  print(
    `its credentials are sealed with the encryption key ${encryptionKey}, which is not in the file: keep a copy of the key in a separate safe place`,
  )
}

function formatCounts(rows: Record<string, number>): string {
  return Object.entries(rows)
    .map(([table, count]) => `${count} ${table}`)
    .join(', ')
}

function countRows({ rows }: ExportResult): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0)
}

function formatSize(bytes: number): string {
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`
}
