import type { Schemas } from '../../api/client.ts'

/** The orders of domains. */
export const DOMAIN_SORTS = ['products', 'name', 'changed'] as const

type Sortable = Pick<Schemas['DomainSummary'], 'id' | 'name' | 'dataProducts' | 'updatedAt'>

/** Returns domains in an order; what is in no domain always comes last. */
export function sortDomains<Domain extends Sortable>(
  domains: readonly Domain[],
  sort: string,
): Domain[] {
  const byName = (a: Domain, b: Domain): number => (a.name ?? '').localeCompare(b.name ?? '')
  const compare: Readonly<Record<string, (a: Domain, b: Domain) => number>> = {
    name: byName,
    changed: (a, b) => (b.updatedAt ?? '').localeCompare(a.updatedAt ?? ''),
  }
  const ofSort = compare[sort] ?? ((a: Domain, b: Domain) => b.dataProducts - a.dataProducts)
  const isLast = ({ id }: Domain): number => (id === null ? 1 : 0)
  return domains.toSorted((a, b) => isLast(a) - isLast(b) || ofSort(a, b) || byName(a, b))
}
