import type { Database } from '../tables.ts'
import { partsOf, SYSTEM_NAME, type NamedPrincipal } from './principal.ts'
import { listNames } from './store.ts'

/** The names of principals, each once, in the order in which they are first named. */
export async function namePrincipals(
  db: Database,
  organizationId: string,
  principals: readonly string[],
): Promise<NamedPrincipal[]> {
  const wanted = [...new Set(principals)].map((principal) => ({ principal, ...partsOf(principal) }))
  const idsOf = (kind: NamedPrincipal['kind']): string[] =>
    wanted.filter((one) => one.kind === kind).map(({ id }) => id)
  const ids = {
    userIds: idsOf('user'),
    keyIds: idsOf('api-key'),
    integrationIds: idsOf('integration'),
  }
  const isAsked = Object.values(ids).some((of) => of.length > 0)
  const found = isAsked ? await listNames(db, organizationId, ids) : []
  const names = new Map(found.map(({ kind, id, name }) => [`${kind}:${id}`, name]))
  return wanted.map(({ principal, kind, id }) => {
    if (kind === 'system') return { principal, kind, name: SYSTEM_NAME }
    const key = kind === 'integration' ? id : id.toLowerCase()
    return { principal, kind, name: names.get(`${kind}:${key}`) ?? null }
  })
}
