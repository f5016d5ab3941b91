import { z } from '@hono/zod-openapi'

/**
 * A domain is a part of the business. A data product or contract is in the domain that its document
 * names, by the id or the name of a team or by any other word; otherwise in that of the nearest team
 * of type Domain at or above its owner. So a domain exists when a team of that type does, or when a
 * document names it.
 */

/** Domains that are listed at most. */
export const DOMAINS_MAX = 1000

/** Products of one page at most. */
export const PRODUCTS_MAX = 100

/** The first pages of products that are listed; a catalog is not read to its end this way. */
export const PAGES_MAX = 1000

/** Ports of a product that are named at most. */
export const PORTS_NAMED_MAX = 5

/** The orders of products. */
export const PRODUCT_ORDERS = ['name', 'updated'] as const

/** One of them. */
export type ProductOrder = (typeof PRODUCT_ORDERS)[number]

const instant = z.string().openapi({ format: 'date-time' })
const count = z.int().min(0)

const domain = z
  .object({
    id: z.string().nullable().openapi({ description: 'null = what is in no domain' }),
    name: z.string().nullable(),
    description: z.string().nullable(),
    isTeam: z.boolean().openapi({ description: 'The id is that of a team' }),
    dataProducts: count,
    dataContracts: count,
    teams: count.openapi({ description: 'Below the team of the domain' }),
    updatedAt: instant.nullable().openapi({ description: 'The last change of a product' }),
  })
  .openapi('DomainSummary')

/** One domain with what is in it. */
export type DomainSummary = z.infer<typeof domain>

/** All domains, and what is in none. */
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
