import type { Caller } from '../../requests/access/caller.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import type { DomainProducts, DomainSummary, ProductOrder } from './domain.ts'
import * as store from './store.ts'

type Work = Pick<Services, 'db'>

/** Lists the domains of the caller's organization, those with the most products first. */
export async function listDomains({ db }: Work, caller: Caller): Promise<DomainSummary[]> {
  return await store.listDomains(db, caller.organizationId)
}

/** Lists a page of the products in a domain; null = without a domain. */
export async function listDomainProducts(
  { db }: Work,
  caller: Caller,
  domain: string | null,
  { order, page, limit }: { order: ProductOrder; page: number; limit: number },
): Promise<DomainProducts> {
  const rows = await store.listProducts(db, caller.organizationId, domain, {
    order,
    offset: page * limit,
    limit: limit + 1,
  })
  return { products: rows.slice(0, limit), hasMore: rows.length > limit }
}
