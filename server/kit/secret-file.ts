import { renameSync, rmSync, writeFileSync } from 'node:fs'

/** Writes a secret to a file that only its owner may read, whole or not at all. */
export function writeSecretFile(path: string, secret: string): void {
  const draft = `${path}.${process.pid}.new`
  // One that a crash left behind would keep its own mode.
  rmSync(draft, { force: true })
  try {
    writeFileSync(draft, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
