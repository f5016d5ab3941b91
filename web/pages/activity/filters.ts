import { RECORDS } from '../../../formats/record/kinds.ts'
import type { ActivityQuery } from '../../documents/activity-group.tsx'

/** The filters of the page as its address has them; empty = not filtered. */
export const NO_FILTERS = { kind: '', level: '', team: '', actor: '', from: '', to: '' }

/** The filters of the page as its address has them. */
export type ActivityFilters = typeof NO_FILTERS

/** The levels that can be filtered by. */
export const LEVELS = ['breaking', 'additive', 'wording'] as const

/** The kinds that can be filtered by, with their titles. */
export const KINDS: readonly (readonly [kind: ActivityKind, title: string])[] = [
  ['data-product', 'Data products'],
  ['data-contract', 'Data contracts'],
  ['team', 'Teams'],
  ['asset', 'Assets'],
  ...RECORDS.map(({ kind, label }) => [kind, label] as const),
  ['ingestion-run', 'Runs that changed assets'],
  ['ingestion-attempt', 'Other runs'],
  ['ingested-asset', 'Assets changed by runs'],
  ['integration', 'Integrations'],
  ['access', 'Access'],
  ['test-result', 'Test results'],
  ['incident', 'Incidents'],
  ['lineage-event', 'Lineage events'],
  ['usage', 'Usage'],
  ['example-data', 'Example data'],
  ['cost', 'Costs'],
  ['notification-channel', 'Notification channels'],
  ['webhook', 'Webhooks'],
  ['member', 'Members'],
  ['invitation', 'Invitations'],
  ['api-key', 'API keys'],
  ['account', 'Sign-ins and passwords'],
  ['identity-provider', 'Sign-in providers'],
  ['sign-in-rule', 'Sign-in rule and domains'],
  ['directory', 'Directory'],
  ['organization', 'Organization'],
  ['organization-settings', 'Settings'],
  ['search-synonyms', 'Search synonyms'],
]

type ActivityKind = NonNullable<ActivityQuery['kind']>[number]

/** Returns the query for filters; values in the address that do not exist are ignored. */
export function toQuery({ kind, level, team, actor, from, to }: ActivityFilters): ActivityQuery {
  const kinds = KINDS.map(([value]) => value).filter((value) => value === kind)
  const levels = LEVELS.filter((value) => value === level)
  const since = startOfDay(from, 0)
  const until = startOfDay(to, 1)
  return {
    ...(kinds.length > 0 && { kind: kinds }),
    ...(levels.length > 0 && { level: levels }),
    ...(team !== '' && { team }),
    ...(actor !== '' && { actor }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  }
}

const DAY = /^([1-9]\d{3})-(\d{2})-(\d{2})$/

// The instant at which a day, or the one so many days later, begins for the reader.
function startOfDay(day: string, daysLater: number): string | undefined {
  const parts = DAY.exec(day)?.slice(1).map(Number)
  if (parts === undefined) return undefined
  const [year = 0, month = 0, date = 0] = parts
  const start = new Date(year, month - 1, date)
  if (start.getMonth() !== month - 1) return undefined
  return new Date(year, month - 1, date + daysLater).toISOString()
}
