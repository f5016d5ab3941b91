const HSTS_SECONDS = 365 * 24 * 60 * 60

/**
 * Returns the headers that every answer carries. Where the public address is HTTPS, browsers are told
 * to use nothing else.
 */
export function getSecurityHeaders(baseUrl: string | undefined): Record<string, string> {
  const nosniff = { 'x-content-type-options': 'nosniff' }
  if (baseUrl?.startsWith('https:') !== true) return nosniff
  return { ...nosniff, 'strict-transport-security': `max-age=${HSTS_SECONDS}` }
}
