import { PUBLIC } from '../access.ts'
import type { Grantee } from '../grant.ts'

/** The key of an account: users of the same name on different hosts are different accounts. */
export function toAccount(user: unknown, host: unknown): string {
  return JSON.stringify([user, host])
}

/**
 * Returns the grantee of an account: the name without a host if it may connect from everywhere, and for roles; otherwise in
 * the notation of the server: `'jo'@'localhost'`. Names that look like this notation are written in it, too, so that two
 * accounts never have one name. `roles` are the accounts that are roles.
 */
export function toGrantee(user: unknown, host: unknown, roles: ReadonlySet<string>): Grantee {
  const name = String(user)
  const kind = roles.has(toAccount(user, host)) ? 'role' : 'user'
  // The role of MariaDB that everyone has.
  if (name === 'PUBLIC' && host === '') return PUBLIC
  const isEverywhere = host === '%' || host === ''
  if (isEverywhere && name !== '' && !name.startsWith("'")) return { kind, name }
  return { kind, name: `${quote(name)}@${quote(String(host))}` }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
