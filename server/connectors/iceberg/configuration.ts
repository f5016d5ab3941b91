import { z } from '@hono/zod-openapi'

const address = z
  .url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' })
  .max(2000)
  .refine(isPlain, 'must have no user, no query and no fragment')

/** The address of an Iceberg REST catalog and its authentication, without secrets. */
export const icebergConfiguration = z
  .strictObject({
    /** The catalog's address, to which `/v1/config` is added. */
    uri: address,
    /** The warehouse in the catalog; catalogs with one warehouse need none. */
    warehouse: z.string().min(1).max(1000).optional(),
    authentication: z.enum(['none', 'token', 'oauth2']).default('none'),
    /** OAuth2 client credentials. */
    clientId: z.string().min(1).max(1000).optional(),
    scope: z.string().min(1).max(1000).optional(),
    /** Defaults to the catalog's own endpoint. */
    tokenEndpoint: address.optional(),
    includeViews: z.boolean().default(true),
  })
  .superRefine((given, context) => {
    if (given.authentication === 'oauth2' && given.clientId === undefined) {
      context.addIssue({ code: 'custom', path: ['clientId'], message: 'is needed for oauth2' })
    }
    if (given.tokenEndpoint !== undefined && !isTrustworthy(given.tokenEndpoint, given.uri)) {
      const message = 'must use https, or the same host and port as uri'
      context.addIssue({ code: 'custom', path: ['tokenEndpoint'], message })
    }
  })

/** A configuration, parsed. */
export type IcebergConfiguration = z.infer<typeof icebergConfiguration>

function isPlain(url: string): boolean {
  return !/[?#]|\/\/[^/]*@/.test(url)
}

/** Protects the client secret: it is never sent unencrypted to a host other than the catalog's. */
function isTrustworthy(tokenEndpoint: string, uri: string): boolean {
  const [endpoint, catalog] = [URL.parse(tokenEndpoint), URL.parse(uri)]
  if (endpoint === null || catalog === null) return false
  return endpoint.protocol === 'https:' || endpoint.origin === catalog.origin
}
