import { randomBytes } from 'node:crypto'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

const DRAFT = /\.[0-9a-f]{8}\.partial$/

/** Returns whether a file name is that of an incomplete file. */
export function isDraftName(name: string): boolean {
  return DRAFT.test(name)
}

/**
 * Writes a file that only its owner can read. It gets its name when it is complete, synced to disk and checked. It is
 * compressed with gzip if the name ends in `.gz`. Existing files are never replaced.
 *
 * Errors: those of the file system, of the content and of the check. On an error, no file is left behind.
 */
export async function writeNewFile(
  path: string,
  content: AsyncIterable<Buffer>,
  check: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}.partial`
  try {
    await writeSynced(draft, content, path.endsWith('.gz'))
    await check(draft)
    await publish(draft, path)
    await syncFolder(dirname(path))
  } finally {
    await rm(draft, { force: true })
  }
}

async function writeSynced(
  path: string,
  content: AsyncIterable<Buffer>,
  isCompressed: boolean,
): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    const write = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
      for await (const chunk of chunks) await file.writeFile(chunk)
    }
    if (isCompressed) await pipeline(content, createGzip(), write)
    else await write(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

// Unlike a rename, a link never replaces a file. Some file systems do not support links.
async function publish(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path)
  } catch (error) {
    const isUnsupported =
      error instanceof Error &&
      'code' in error &&
      ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(String(error.code))
    if (!isUnsupported) throw error
    // Reserves the name first, so that two exports to the same file cannot both succeed.
    await (await open(path, 'wx', 0o600)).close()
    await rename(draft, path)
  }
}

// Without this, a power failure could undo the rename.
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
