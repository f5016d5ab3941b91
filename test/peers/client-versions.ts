/**
 * The versions of public clients: the pinned one of each, with which tests run, and the newest one of the registry.
 * Clients change without notice, so a new version needs new rows in `test/clients/`.
 */

import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { getInstallation, getPeerDirectory, PEER_RECIPES, type PeerName } from './recipes.ts'

/** A client with its versions; undefined = the registry did not answer, or the peer is not installed. */
export interface ClientVersion {
  readonly client: string
  readonly pinned: string | undefined
  readonly newest: string | undefined
}

const REGISTRY_MS_MAX = 60_000

/** Lists the versions of the clients of the named peers, or of all. */
export async function listClientVersions(peers: readonly string[] = []): Promise<ClientVersion[]> {
  const versions: ClientVersion[] = []
  for (const [peer, { clients = [] }] of PEER_RECIPES) {
    if (peers.length > 0 && !peers.includes(peer)) continue
    for (const client of clients) {
      versions.push({
        client,
        pinned: findPinnedVersion(peer, client),
        newest: await findNewestVersion(peer, client),
      })
    }
  }
  return versions
}

/** Finds the version of a client that its peer installs. */
export function findPinnedVersion(peer: PeerName, client: string): string | undefined {
  const { folder } = getInstallation(peer)
  for (const name of ['requirements.txt', 'install']) {
    const file = join(folder, name)
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const version = new RegExp(`(?:^|[\\s'"])${client}==([\\w.]+)`, 'm').exec(text)?.[1]
    if (version !== undefined) return version
  }
  return undefined
}

/** Returns a line about a client: its newest version, or the pinned one if it is the newest. */
export function describeVersion({ client, pinned, newest }: ClientVersion): string {
  const known = `${client} ${pinned ?? 'is not pinned'}`
  if (newest === undefined) return `${known}: the newest version is not known`
  return newest === pinned ? `${known} is the newest` : `${known}: the newest is ${newest}`
}

async function findNewestVersion(peer: PeerName, client: string): Promise<string | undefined> {
  const pip = join(getPeerDirectory(peer), 'bin', 'pip')
  if (!existsSync(pip)) return undefined
  // The Python of a peer may be older than the newest version needs.
  const options = ['--disable-pip-version-check', '--ignore-requires-python']
  const args = ['index', 'versions', client, ...options]
  try {
    const { stdout } = await promisify(execFile)(pip, args, { timeout: REGISTRY_MS_MAX })
    return /\(([\w.]+)\)/.exec(stdout)?.[1]
  } catch {
    return undefined
  }
}
