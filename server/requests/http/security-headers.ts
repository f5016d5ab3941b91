const HSTS_SECONDS = 365 * 24 * 60 * 60

/** Returns the headers of every response. If the public address is HTTPS, browsers may only use HTTPS. */
export function getSecurityHeaders(baseUrl: string | undefined): Record<string, string> {
  const nosniff = { 'x-content-type-options': 'nosniff' }
  if (baseUrl?.startsWith('https:') !== true) return nosniff
  return { ...nosniff, 'strict-transport-security': `max-age=${HSTS_SECONDS}` }
}
