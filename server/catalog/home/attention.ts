import { describeIncident } from '../../ledger/incidents/describe.ts'
import type { IncidentKind } from '../../ledger/incidents/incident.ts'
import type { Instant } from '../../platform/kit/clock.ts'
import type { Attention } from './home.ts'

// Formats the items that need a person's attention.

const RANKS: Record<Attention['severity'], number> = { serious: 0, warning: 1, note: 2 }

// Days before the end of a format, or of a key, from which it is a warning, or serious.
const FORMAT_WARNING_DAYS = 60
const FORMAT_SERIOUS_DAYS = 14
const KEY_SERIOUS_DAYS = 3

const NAMED_MAX = 3
const DAY_MS = 24 * 60 * 60 * 1000

/** Sorts items by severity, most serious first; items of the same severity keep their order. */
export function sortBySeverity(attention: readonly Attention[]): Attention[] {
  return attention.toSorted((a, b) => RANKS[a.severity] - RANKS[b.severity])
}

/** Reports that the last run of an integration failed. */
export function reportFailedRun(
  integration: { externalId: string; name: string },
  run: { id: string; at: Instant | null; because: string | null },
): Attention {
  return {
    kind: 'run_failed',
    severity: 'serious',
    title: `The last run of ${integration.name} failed`,
    detail: run.because ?? 'See the log of the run for the reason.',
    target: { kind: 'run', id: run.id, integrationExternalId: integration.externalId },
    at: run.at,
    count: 1,
  }
}

/** Reports deletes that a person has to confirm. */
export function reportHeldDeletes(
  integration: { externalId: string; name: string },
  run: { id: string; at: Instant | null; count: number },
): Attention {
  return {
    kind: 'deletes_held',
    severity: 'warning',
    title: `${integration.name}: ${numbered(run.count, 'delete')} held for confirmation`,
    detail: 'More than usual is missing from the source. Confirm the deletes, or keep the assets.',
    target: { kind: 'run', id: run.id, integrationExternalId: integration.externalId },
    at: run.at,
    count: run.count,
  }
}

/** Reports that the schedule of an integration is paused. */
export function reportPausedIntegration(
  { externalId, name }: { externalId: string; name: string },
  because: string,
): Attention {
  return {
    kind: 'integration_paused',
    severity: 'serious',
    title: `The schedule of ${name} is paused`,
    detail: because,
    target: { kind: 'integration', id: externalId, integrationExternalId: externalId },
    at: null,
    count: 1,
  }
}

/** The maximum number of incidents that have an item each. */
export const INCIDENTS_NAMED_MAX = 3

/** Reports open incidents of data contracts: the newest ones, and the number of all if there are more. */
export function reportIncidents(
  incidents: readonly {
    kind: IncidentKind
    contractId: string
    name: string
    contractVersion: string | null
    server: string
    openedAt: Instant
    total: number
  }[],
): Attention[] {
  const named = incidents.slice(0, INCIDENTS_NAMED_MAX)
  const rest = (incidents[0]?.total ?? 0) - named.length
  const items = named.map(({ contractId, openedAt, ...incident }): Attention => ({
    kind: 'incident',
    severity: 'serious',
    title: describeIncident(incident),
    detail: 'Consumers see it until it is resolved. Acknowledge it if you take care of it.',
    target: { kind: 'data-contract', id: contractId, integrationExternalId: null },
    at: openedAt,
    count: 1,
  }))
  if (rest <= 0) return items
  const more: Attention = {
    kind: 'incident',
    severity: 'serious',
    title: `${numbered(rest, 'more incident')} ${rest === 1 ? 'is' : 'are'} open`,
    detail: 'Consumers see each until it is resolved.',
    target: { kind: 'incidents', id: null, integrationExternalId: null },
    at: null,
    count: rest,
  }
  return [...items, more]
}

/** Reports requests of access that the person decides on. */
export function reportAccessRequests(count: number, countedMax: number): Attention {
  const number =
    count > countedMax ? `More than ${countedMax} requests` : numbered(count, 'request')
  return {
    kind: 'access_requested',
    severity: 'warning',
    title: `${number} of access ${count === 1 ? 'waits' : 'wait'} for a decision`,
    detail: 'Consumers cannot use the data before you decide.',
    target: { kind: 'requests', id: null, integrationExternalId: null },
    at: null,
    count,
  }
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

// Formats `2026-12-31` as `31 Dec 2026`, like the pages.
function formatDay(day: string): string {
  return DAY.format(Date.parse(day))
}

/** Reports that a key expires soon or has expired. */
export function keyExpiring(key: {
  displayName: string
  id: string
  expiresOn: string
  daysLeft: number
}): Attention {
  const { displayName, id, expiresOn, daysLeft } = key
  const detail =
    daysLeft < 0
      ? 'Programs that still use it are rejected. Replace it, or delete it if nothing needs it.'
      : `It works until the end of ${formatDay(expiresOn)} (UTC). Replace it, then delete it when it is no longer used.`
  return {
    kind: 'key_expiring',
    severity: daysLeft <= KEY_SERIOUS_DAYS ? 'serious' : 'warning',
    title: `API key "${displayName}" ${describeExpiry(daysLeft)}`,
    detail,
    target: { kind: 'api-keys', id, integrationExternalId: null },
    at: `${expiresOn}T23:59:59.000000Z`,
    count: 1,
  }
}

function describeExpiry(daysLeft: number): string {
  if (daysLeft < 0) return daysLeft === -1 ? 'expired yesterday' : `expired ${-daysLeft} days ago`
  return daysLeft === 0 ? 'expires today' : `expires in ${numbered(daysLeft, 'day')}`
}

/** Reports that ports of a product reference contracts that do not exist. */
export function contractMissing(product: {
  id: string
  name: string
  missing: readonly string[]
}): Attention {
  const { id, name, missing } = product
  const isOne = missing.length === 1
  const more = missing.length - NAMED_MAX
  const named = missing.slice(0, NAMED_MAX).join(', ')
  return {
    kind: 'contract_missing',
    severity: 'warning',
    title: `${name} references ${numbered(missing.length, 'missing contract')}`,
    detail: `${named}${more > 0 ? ` and ${more} more` : ''}. Resolves when the ${isOne ? 'contract is' : 'contracts are'} registered.`,
    target: { kind: 'data-product', id, integrationExternalId: null },
    at: null,
    count: missing.length,
  }
}

/** Reports data contracts without an owner; with one, the item leads to it. */
export function reportUnownedContracts({
  ids,
  count,
}: {
  ids: readonly string[]
  count: number
}): Attention[] {
  const [only] = ids
  if (only === undefined) return []
  const more = count - ids.length
  const rest = more > 0 ? ` and ${more} more` : ''
  return [
    {
      kind: 'contract_unowned',
      severity: 'warning',
      title: `${numbered(count, 'data contract')} without an owner`,
      detail: `${ids.join(', ')}${rest}. Only organization owners can edit ${count === 1 ? 'it' : 'them'}. Name the owning team in the document or with ?owner=.`,
      target:
        count === 1
          ? { kind: 'data-contract', id: only, integrationExternalId: null }
          : { kind: 'search', id: 'unowned', integrationExternalId: null },
      at: null,
      count,
    },
  ]
}

/** Reports documents in a format that ends; `until` is its last day. */
export function formatEnding(
  format: 'dps' | 'dcs',
  left: { count: number; until: string; now: Instant },
): Attention {
  const { count, until, now } = left
  const daysLeft = Math.round((Date.parse(until) - Date.parse(now.slice(0, 10))) / DAY_MS)
  const [called, next, noun] =
    format === 'dps' ? ['DPS', 'ODPS', 'data product'] : ['DCS', 'ODCS', 'data contract']
  const detail =
    daysLeft < 0
      ? `${called} ended on ${formatDay(until)}. Stored documents stay readable; changes must be in ${next}.`
      : `${called} is accepted until ${formatDay(until)}, ${daysLeft === 0 ? 'today' : `for ${numbered(daysLeft, 'more day')}`}. Portbook converts them.`
  return {
    kind: 'format_ending',
    severity: toSeverity(daysLeft),
    title: `${numbered(count, noun)} to convert from ${called} to ${next}`,
    detail,
    target: { kind: 'search', id: format, integrationExternalId: null },
    at: `${until}T23:59:59.000000Z`,
    count,
  }
}

function toSeverity(daysLeft: number): Attention['severity'] {
  if (daysLeft <= FORMAT_SERIOUS_DAYS) return 'serious'
  return daysLeft <= FORMAT_WARNING_DAYS ? 'warning' : 'note'
}

function numbered(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
