import { renameSync, rmSync, writeFileSync } from 'node:fs'

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
