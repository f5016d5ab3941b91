/**
 * The peers: programs of other projects with which tests compare Portbook, or that it connects to. Each has a
 * folder here. Its script `install`, or `install-python` for a folder that only lists Python packages, installs it into
 * a directory of the user's cache; `npm run peers` runs these scripts. The directory is named after the contents of the
 * folder and the script, so that no clone breaks another.
 */

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** The needs of a peer's installation. */
export type Recipe = {
  /** Programs of the system, for the installation and to run the peer. */
  readonly programs: readonly string[]
  /** Whether it is built from source, which occupies every processor for minutes. */
  readonly isBuilt: boolean
  /** The packages of clients whose newest versions `npm run peers` reports. */
  readonly clients?: readonly string[]
}

const RECIPES = {
  validators: { programs: ['python3'], isBuilt: false },
  buf: { programs: ['npm'], isBuilt: false },
  'entropy-data': { programs: ['python3'], isBuilt: false, clients: ['entropy-data'] },
  'entropy-data-sdk': { programs: ['python3'], isBuilt: false, clients: ['entropy-data-sdk'] },
  'openapi-generator': { programs: ['mvn', 'javac', 'java'], isBuilt: false },
  'datacontract-cli': { programs: ['python3'], isBuilt: false, clients: ['datacontract-cli'] },
  openlineage: {
    programs: ['python3'],
    isBuilt: false,
    clients: ['openlineage-python', 'openlineage-dbt'],
  },
  'dataproduct-mcp': { programs: ['python3'], isBuilt: false, clients: ['dataproduct-mcp'] },
  'data-product-forge': { programs: ['python3'], isBuilt: false, clients: ['data-product-forge'] },
  'scim2-tester': { programs: ['python3'], isBuilt: false },
  moto: { programs: ['python3'], isBuilt: false },
  bqemulator: { programs: ['python3'], isBuilt: false },
  fakesnow: { programs: ['python3'], isBuilt: false },
  iceberg: { programs: ['mvn', 'java'], isBuilt: false },
  nessie: { programs: ['mvn', 'java', 'python3'], isBuilt: false },
  keycloak: { programs: ['mvn', 'java', 'python3'], isBuilt: false },
  'uc-server': { programs: ['cargo'], isBuilt: true },
  deployment: { programs: ['go', 'python3'], isBuilt: true },
  'image-base': { programs: ['npm', 'buildah', 'mmdebstrap'], isBuilt: false },
} as const satisfies Record<string, Recipe>

/** The name of a peer, and of its folder. */
export type PeerName = keyof typeof RECIPES

/** All peers by name. */
export const PEER_RECIPES: ReadonlyMap<PeerName, Recipe> = new Map(
  Object.entries(RECIPES) as [PeerName, Recipe][],
)

const SCRIPT = 'install'
const SHARED_SCRIPT = join(import.meta.dirname, 'install-python')

/** Returns the script that installs a peer, and the folder in which it runs. */
export function getInstallation(name: PeerName): { script: string; folder: string } {
  const folder = join(import.meta.dirname, name)
  const script = join(folder, SCRIPT)
  return { script: existsSync(script) ? script : SHARED_SCRIPT, folder }
}

/** Returns the directory of a peer, whether or not it is installed. */
export function getPeerDirectory(name: PeerName): string {
  const { script, folder } = getInstallation(name)
  const hash = createHash('sha256')
  for (const file of [...new Set([...readdirSync(folder), SCRIPT])].toSorted()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(file === SCRIPT ? script : join(folder, file)))
      .update('\0')
  }
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return join(cache, 'portbook', `peer-${name}-${hash.digest('hex').slice(0, 16)}`)
}

/** Returns whether a peer is completely installed. */
export function isPeerInstalled(name: PeerName): boolean {
  return existsSync(join(getPeerDirectory(name), 'complete'))
}

/** Returns how to install a peer; undefined if it is installed. */
export function findMissingPeer(name: PeerName): string | undefined {
  if (isPeerInstalled(name)) return undefined
  const programs = listMissingPrograms(name)
  const first = programs.length === 0 ? '' : `install ${programs.join(', ')}, then `
  return `The peer ${name} is not installed: ${first}run \`npm run peers -- ${name}\``
}

/** Lists the programs that a peer needs and this system lacks. */
export function listMissingPrograms(name: PeerName): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const isAbsent = (program: string): boolean =>
    !folders.some((folder) => existsSync(join(folder, program)))
  return (PEER_RECIPES.get(name)?.programs ?? []).filter(isAbsent)
}
