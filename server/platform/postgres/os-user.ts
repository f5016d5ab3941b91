import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { LocalPostgresError } from './local-postgres-error.ts'

/** The operating-system user that runs PostgreSQL. */
export interface OsUser {
  uid: number
  gid: number
}

const FALLBACK_USERS = ['postgres', 'nobody']

/**
 * Chooses the user that runs PostgreSQL, which refuses to run as root. Returns undefined if this process is not root,
 * because PostgreSQL can then run as the same user. As root, it returns the owner of the first existing path that does
 * not belong to root, otherwise a system user.
 *
 * Errors: LocalPostgresError if no such user exists.
 */
export function chooseOsUser(paths: readonly string[]): OsUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const path of paths) {
    const owner = statSync(path, { throwIfNoEntry: false })
    if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  }
  for (const name of FALLBACK_USERS) {
    const user = findUser(name)
    if (user !== undefined) return user
  }
  throw new LocalPostgresError(
    `PostgreSQL refuses to run as root, and this system has no user ${FALLBACK_USERS.join(' or ')} to run it as. Create one with "useradd --system postgres", start Portbook as another user, or set DATABASE_URL.`,
  )
}

function findUser(name: string): OsUser | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout),
  )
  return uid && gid ? { uid, gid } : undefined
}
