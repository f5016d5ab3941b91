import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import { exportStore, type ExportResult } from './export.ts'
import type { Header } from './file-format.ts'
import { checkExport } from './read-file.ts'
import { TransferError, toTransferError } from './transfer-error.ts'
import { isDraftName } from './write-file.ts'

const NAME = /^portbook-\d{8}T\d{6}Z\.jsonl\.gz$/
const ABANDONED_MS = 60 * 60_000

/** A written backup. */
interface Backup extends ExportResult {
  path: string
}

/**
 * Writes a backup of a database to a folder, which is created if it is missing. Deletes drafts of backups that were
 * interrupted an hour ago or earlier.
 *
 * Errors: those of `exportStore`.
 */
export async function backUp(
  connection: ClientConfig,
  folder: string,
  version: string,
  now: Date,
): Promise<Backup> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await removeAbandonedDrafts(folder, now)
  } catch (error) {
    throw toTransferError(error, 'write', folder)
  }
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const path = join(folder, `portbook-${time}.jsonl.gz`)
  return { path, ...(await exportStore(connection, path, version)) }
}

/** A restorable backup. */
interface RestorableBackup {
  path: string
  header: Header
  /** Newer backups of the folder that cannot be restored, each with the reason. */
  skipped: string[]
}

/**
 * Finds the backup to restore: the given file, or the newest complete backup of the given folder.
 *
 * Errors: TransferError if no backup is found, or if the given file is not complete.
 */
export async function findBackup(path: string): Promise<RestorableBackup> {
  if (!(await isFolder(path))) {
    const { header } = await checkExport(path)
    return { path, header, skipped: [] }
  }
  const names = (await readdir(path)).filter((name) => NAME.test(name)).toSorted()
  const skipped: string[] = []
  for (const name of names.toReversed()) {
    try {
      const { header } = await checkExport(join(path, name))
      return { path: join(path, name), header, skipped }
    } catch (error) {
      if (!(error instanceof TransferError)) throw error
      skipped.push(error.message)
    }
  }
  const reasons = skipped.length === 0 ? '' : ` ${skipped.join(' ')}`
  throw new TransferError(`${path} contains no complete backup.${reasons}`)
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    throw toTransferError(error, 'read', path)
  }
}

async function removeAbandonedDrafts(folder: string, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('portbook-') || !isDraftName(name)) continue
    const path = join(folder, name)
    const { mtimeMs } = await stat(path)
    if (now.getTime() - mtimeMs > ABANDONED_MS) await rm(path, { force: true })
  }
}
