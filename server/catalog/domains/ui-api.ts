import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { domainProducts, domains, PAGES_MAX, PRODUCT_ORDERS, PRODUCTS_MAX } from './domain.ts'
import { listDomainProducts, listDomains } from './store.ts'

const DOMAIN_CHARACTERS_MAX = 2000
const PRODUCTS_USUAL = 24

const productsQuery = z.object({
  domain: z
    .string()
    .max(DOMAIN_CHARACTERS_MAX)
    .default('')
    .openapi({ description: 'The ID of a domain; empty = products without a domain' }),
  sort: z.enum(PRODUCT_ORDERS).default('name'),
  p: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number')
    .transform(Number)
    .refine((page) => page < PAGES_MAX, `must be below ${PAGES_MAX}`)
    .default(0)
    .openapi({ description: 'The page, from 0' }),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1')
    .transform((text) => Math.min(Number(text), PRODUCTS_MAX))
    .default(PRODUCTS_USUAL),
})

/** `GET /ui/domains`: lists the domains. */
export const getDomains: Endpoint = {
  operation: 'getDomains',
  summary: 'List the domains with the counts of their contents',
  permission: 'a session',
  answers: {
    200: { description: 'The domains, those with the most products first', schema: domains },
  },
  async handle({ services, caller }) {
    return jsonAnswer(200, domains, await listDomains(services.db, caller.organizationId))
  },
}

/** `GET /ui/domains/products`: lists the products of a domain. */
export const getDomainProducts: Endpoint<never, z.infer<typeof productsQuery>> = {
  operation: 'getDomainProducts',
  summary: 'List the data products of a domain',
  lane: 'scan',
  permission: 'a session',
  query: productsQuery,
  answers: { 200: { description: 'A page of products', schema: domainProducts } },
  async handle({ services, caller, query }) {
    const { domain, sort, p, limit } = query
    const page = { order: sort, page: p, limit }
    const id = domain === '' ? null : domain
    const products = await listDomainProducts(services.db, caller.organizationId, id, page)
    return jsonAnswer(200, domainProducts, products)
  },
}
