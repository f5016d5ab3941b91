import { Refusal } from '../errors.ts'
import type { Instant } from '../kit/clock.ts'

// DPS is deprecated. Documents in it are taken until the end of a day, and readable for ever.

/** The guide that explains how to move. */
const GUIDE = '/guides/dps-to-odps'

// When ODPS became the format to use (RFC 9745 wants seconds since 1970): 2026-01-01T00:00:00Z.
const DEPRECATED_SINCE = '@1767225600'

/** The headers of an answer that carries or takes a document: empty unless its format is DPS. */
export function deprecationHeaders(
  format: string,
  { dpsUntil, baseUrl }: { dpsUntil: string; baseUrl: string },
): Record<string, string> {
  if (format !== 'dps') return {}
  return {
    deprecation: DEPRECATED_SINCE,
    sunset: new Date(`${dpsUntil}T23:59:59Z`).toUTCString(),
    link: `<${baseUrl}${GUIDE}>; rel="deprecation"; type="text/markdown"`,
  }
}

/** Refuses a format whose last day is over in UTC, by the store's clock. Errors: format_ended. */
export function refuseEndedFormat(
  format: string,
  now: Instant,
  { dpsUntil, baseUrl }: { dpsUntil: string; baseUrl: string },
): void {
  if (format !== 'dps' || now.slice(0, 10) <= dpsUntil) return
  throw new Refusal(
    'format_ended',
    `DPS documents could be registered until ${dpsUntil} (UTC). Register this product as ODPS: ${baseUrl}${GUIDE} shows how, and GET with ?format=odps converts what is stored.`,
    { type: `${baseUrl}${GUIDE}` },
  )
}
