import { z } from '@hono/zod-openapi'

const address = z
  .url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' })
  .max(2000)
  .refine(isPlain, 'must have no user, no query and no fragment')

/** Where an Iceberg REST catalog is, and how it knows who asks. Secrets stand elsewhere. */
export const icebergConfiguration = z
  .strictObject({
    /** The catalog's address, to which `/v1/config` is added. */
    uri: address,
    /** Which warehouse of the catalog; catalogs with one need none. */
    warehouse: z.string().min(1).max(1000).optional(),
    authentication: z.enum(['none', 'token', 'oauth2']).default('none'),
    /** OAuth2: client credentials. */
    clientId: z.string().min(1).max(1000).optional(),
    scope: z.string().min(1).max(1000).optional(),
    /** The catalog's own endpoint when none is given. */
    tokenEndpoint: address.optional(),
    includeViews: z.boolean().default(true),
  })
  .superRefine((given, context) => {
    if (given.authentication === 'oauth2' && given.clientId === undefined) {
      context.addIssue({ code: 'custom', path: ['clientId'], message: 'is needed for oauth2' })
    }
    if (given.tokenEndpoint !== undefined && !isTrustworthy(given.tokenEndpoint, given.uri)) {
      const message = 'must be https, or of the same host and port as uri'
      context.addIssue({ code: 'custom', path: ['tokenEndpoint'], message })
    }
  })

/** A configuration, parsed. */
export type IcebergConfiguration = z.infer<typeof icebergConfiguration>

function isPlain(url: string): boolean {
  return !/[?#]|\/\/[^/]*@/.test(url)
}

/** The client's secret goes there: never in the clear to a host that the catalog is not on. */
function isTrustworthy(tokenEndpoint: string, uri: string): boolean {
  const [endpoint, catalog] = [URL.parse(tokenEndpoint), URL.parse(uri)]
  if (endpoint === null || catalog === null) return false
  return endpoint.protocol === 'https:' || endpoint.origin === catalog.origin
}
