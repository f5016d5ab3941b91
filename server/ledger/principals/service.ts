import type { Database } from '../../platform/tables.ts'
import { DIRECTORY_NAME, parsePrincipal, SYSTEM_NAME } from './principal.ts'
import type { NamedPrincipal, VisibleNames } from './principal.ts'
import { listNames } from './store.ts'

/**
 * Returns the names of principals, each once, in the order of their first occurrence; null for those that are not
 * visible. Without `visible`, the principals must be those of changes that the caller sees.
 */
export async function namePrincipals(
  db: Database,
  organizationId: string,
  principals: readonly string[],
  visible?: VisibleNames,
): Promise<NamedPrincipal[]> {
  const unique = [...new Set(principals)].map((principal) => ({
    principal,
    ...parsePrincipal(principal),
  }))
  const listIds = (kind: NamedPrincipal['kind']): string[] =>
    unique.filter((one) => one.kind === kind).map(({ id }) => id)
  const ids = {
    userIds: listIds('user'),
    keyIds: listIds('api-key'),
    integrationIds: listIds('integration'),
  }
  const hasIds = Object.values(ids).some((of) => of.length > 0)
  const rows = hasIds ? await listNames(db, organizationId, ids, visible) : []
  const names = new Map(rows.map(({ kind, id, name }) => [`${kind}:${id}`, name]))
  return unique.map(({ principal, kind, id }) => {
    if (kind === 'system') return { principal, kind, name: SYSTEM_NAME }
    if (kind === 'directory') return { principal, kind, name: DIRECTORY_NAME }
    const key = kind === 'integration' ? id : id.toLowerCase()
    return { principal, kind, name: names.get(`${kind}:${key}`) ?? null }
  })
}
