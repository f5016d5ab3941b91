/** Packages of two versions, unpacked as npm does, for tests of upgrades. */

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import semver from 'semver'
import { extract } from 'tar'
import { pack } from '../scripts/pack.ts'

/** An unpacked package. */
export interface UnpackedPackage {
  version: string
  /** The program that a process runs. */
  main: string
}

/** Packages of the current version and of a later one. */
export interface TwoPackages {
  older: UnpackedPackage
  /** Makes the later package again, with these further migrations (SQL by file name). */
  newNewer(migrations: Readonly<Record<string, string>>): UnpackedPackage
  remove(): void
}

/** Packs the current version and unpacks it; the later package differs only in its version and its migrations. */
export async function unpackPackages(): Promise<TwoPackages> {
  const folder = mkdtempSync(join(tmpdir(), 'portbook-packages-'))
  const { file } = await pack({ target: folder })
  const older = join(folder, 'older')
  mkdirSync(older)
  await extract({ file, cwd: older, strip: 1 })
  const manifest = JSON.parse(readFileSync(join(older, 'package.json'), 'utf8')) as {
    version: string
  }
  const version = semver.inc(manifest.version, 'minor') ?? ''
  let count = 0
  return {
    older: { version: manifest.version, main: join(older, 'server/main.mjs') },
    newNewer(migrations) {
      const newer = join(folder, `newer-${(count += 1)}`)
      cpSync(older, newer, { recursive: true })
      writeFileSync(join(newer, 'package.json'), JSON.stringify({ ...manifest, version }))
      for (const [name, text] of Object.entries(migrations)) {
        writeFileSync(join(newer, 'server/migrations', name), text)
      }
      return { version, main: join(newer, 'server/main.mjs') }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
