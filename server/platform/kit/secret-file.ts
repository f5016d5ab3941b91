import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes a secret atomically to a file that only its owner can read. */
export function writeSecretFile(path: string, secret: string): void {
  const draft = `${path}.${process.pid}.new`
  // A file left behind by a crash would keep its mode.
  rmSync(draft, { force: true })
  try {
    writeFileSync(draft, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/**
 * Creates the folder of a secret file if it does not exist, and checks that files can be written there. Called before
 * anything else is written that the secret belongs to. Errors: those of the file system.
 */
export function prepareSecretFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.new`
  rmSync(draft, { force: true })
  writeFileSync(draft, '', { mode: 0o600, flag: 'wx' })
  rmSync(draft)
}
