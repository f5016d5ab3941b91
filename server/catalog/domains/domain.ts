import { z } from '@hono/zod-openapi'

/**
 * A domain is a part of the business. The domain of a data product or contract is the one in its document, which is
 * the ID or the name of a team or any other text; otherwise it is the nearest team of type Domain at or above its
 * owner. A domain therefore exists if a team of that type exists or a document contains it.
 */

/** The maximum number of listed domains. */
export const DOMAINS_MAX = 1000

/** The maximum number of products of a page. */
export const PRODUCTS_MAX = 100

/** The maximum number of pages of products; this list is not meant for reading a whole catalog. */
export const PAGES_MAX = 1000

/** The maximum number of listed ports of a product. */
export const PORTS_NAMED_MAX = 5

/** The sort orders of products. */
export const PRODUCT_ORDERS = ['name', 'changed', 'readers'] as const

/** A sort order of products. */
export type ProductOrder = (typeof PRODUCT_ORDERS)[number]

const instant = z.string().openapi({ format: 'date-time' })
const count = z.int().min(0)

const domain = z
  .object({
    id: z.string().nullable().openapi({ description: 'null = documents without a domain' }),
    name: z.string().nullable(),
    description: z.string().nullable(),
    isTeam: z.boolean().openapi({ description: 'Whether the ID is that of a team' }),
    dataProducts: count,
    dataContracts: count,
    teams: count.openapi({ description: 'Below the team of the domain' }),
    updatedAt: instant.nullable().openapi({ description: 'The last change of a product' }),
    trust: z
      .object({ critical: count, caution: count, neutral: count, positive: count })
      .openapi({ description: 'Its data products by their worst signal, as search counts them' }),
  })
  .openapi('DomainSummary')

/** A domain with the counts of its contents. */
export type DomainSummary = z.infer<typeof domain>

/** All domains, and the documents without a domain. */
export const domains = z.array(domain)

const domainProduct = z
  .object({
    id: z.string(),
    name: z.string(),
    status: z.string().nullable(),
    archetype: z.string().nullable(),
    ownerId: z.string(),
    ownerName: z.string(),
    description: z.string().nullable(),
    ports: z.array(z.string()).openapi({ description: `The first ${PORTS_NAMED_MAX} names` }),
    portCount: count,
    updatedAt: instant,
    readers: count.openapi({ description: 'The number that search shows, too' }),
  })
  .openapi('DomainProduct')

/** A data product in the list of a domain. */
export type DomainProduct = z.infer<typeof domainProduct>

/** A page of the products of a domain. */
export const domainProducts = z
  .object({ products: z.array(domainProduct), hasMore: z.boolean() })
  .openapi('DomainProducts')

/** A page of the products of a domain. */
export type DomainProducts = z.infer<typeof domainProducts>
