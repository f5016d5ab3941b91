import { lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'

// The npm packages of PostgreSQL contain no symbolic links, because npm packs none. They list them in a file, and a
// script creates them when npm installs the package, unless npm runs no scripts.

const links = z.array(z.object({ source: z.string(), target: z.string() }))
const manifest = z.object({ version: z.string() })

/**
 * Creates the missing links of an installation, the folder that contains `bin` and `lib`. Returns whether it then has
 * all of them; an installation without a list of links always has.
 */
export function completeLinks(installation: string): boolean {
  const listed = links.safeParse(readJson(join(installation, 'pg-symlinks.json')))
  if (!listed.success) return true
  try {
    for (const { source, target } of listed.data) {
      const path = join(installation, withoutTop(target))
      if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue
      createLink(relative(dirname(path), join(installation, withoutTop(source))), path)
    }
    return true
  } catch {
    return false
  }
}

/** Reads the version of the npm package that contains an installation; undefined if it is not from npm. */
export function readPackageVersion(installation: string): string | undefined {
  return manifest.safeParse(readJson(join(dirname(installation), 'package.json'))).data?.version
}

function createLink(destination: string, path: string): void {
  try {
    symlinkSync(destination, path)
  } catch (error) {
    // Another process may have created it in the meantime.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) throw error
  }
}

// The paths of the list begin with the name of the installation's folder in the package, which a copy does not have.
function withoutTop(path: string): string {
  return path.replace(/^[^/]+\//, '')
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
