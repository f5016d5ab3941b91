import { z } from 'zod'

/** The field of an address, to which paths are added. */
export const httpAddress = z
  .url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' })
  .max(2000)
  .refine(isPlain, 'must have no user, no query and no fragment')

function isPlain(url: string): boolean {
  return !/[?#]|\/\/[^/]*@/.test(url)
}

/**
 * Creates the check of a configuration that a client secret is never sent unencrypted to a host other than that of
 * the source, whose address is in `field`.
 */
export function checkTokenEndpoint<Fields extends object>(
  field: string,
  getSourceUrl: (given: Fields) => string,
): (given: Fields & { tokenEndpoint?: string | undefined }, context: z.RefinementCtx) => void {
  return (given, context) => {
    const { tokenEndpoint } = given
    if (tokenEndpoint === undefined || isSafe(tokenEndpoint, getSourceUrl(given))) return
    const message = `must use https, or the same host and port as ${field}`
    context.addIssue({ code: 'custom', path: ['tokenEndpoint'], message })
  }
}

function isSafe(tokenEndpoint: string, sourceUrl: string): boolean {
  const [endpoint, source] = [URL.parse(tokenEndpoint), URL.parse(sourceUrl)]
  if (endpoint === null || source === null) return false
  return endpoint.protocol === 'https:' || endpoint.origin === source.origin
}

/** Adds a path, in the spelling that is sent, and a query to an address. */
export function toUrl(
  address: string,
  path: string,
  query: Readonly<Record<string, string>> = {},
): URL {
  const url = new URL(`${address.replace(/\/+$/, '')}/${path}`)
  for (const [name, value] of Object.entries(query)) {
    url.searchParams.set(name, value.toWellFormed())
  }
  return url
}
