import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** Writes a secret to a file that only its owner may read, whole or not at all. */
export function writeSecretFile(path: string, secret: string): void {
  const draft = `${path}.${process.pid}.new`
  try {
    writeFileSync(draft, `${secret}\n`, { mode: 0o600, flush: true })
    chmodSync(draft, 0o600)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
