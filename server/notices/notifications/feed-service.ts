import type { FollowedEvent } from '../../ledger/events/feed-follower.ts'
import { parseFollowedSearch } from '../follows/followed-search.ts'
import { ALL_KINDS, type DocumentKind } from '../../platform/kinds.ts'
import { findAmong } from '../../documents/search/list-service.ts'
import type { Database } from '../../platform/tables.ts'
import * as access from './access-store.ts'
import * as changes from './change-store.ts'
import * as searches from './search-match-store.ts'
import { insertIncidentNotifications } from './incident-store.ts'

const NAMES_MAX = 3

/**
 * Inserts the notifications of events of an organization, in the transaction in which the events are followed, so that
 * no event is lost and none notifies twice. Their recipients are found afterwards.
 */
export async function notifyOfEvents(
  transaction: Database,
  organizationId: string,
  events: readonly FollowedEvent[],
): Promise<void> {
  const changed = events.filter(({ kind }) => changes.NOTIFYING_KINDS.some((one) => one === kind))
  if (changed.length > 0) {
    await changes.insertChangeNotifications(transaction, organizationId, changed)
  }
  const described = events.filter(({ kind }) => findKind(kind) !== undefined && kind !== 'asset')
  if (described.length > 0) {
    await changes.insertMentionNotifications(transaction, organizationId, described)
  }
  const ofAccess = events.filter(({ kind }) => kind === 'access')
  if (ofAccess.length > 0) {
    await access.insertAccessNotifications(transaction, organizationId, ofAccess)
    await access.insertAccessMentions(transaction, organizationId, ofAccess)
  }
  const ofIncidents = events.filter(({ kind }) => kind === 'incident')
  if (ofIncidents.length > 0) {
    await insertIncidentNotifications(transaction, organizationId, ofIncidents)
  }
  await notifyOfArrivals(transaction, organizationId, events)
}

/** Notifies the followers of searches of new documents: one notification for each search and batch of events. */
async function notifyOfArrivals(
  transaction: Database,
  organizationId: string,
  events: readonly FollowedEvent[],
): Promise<void> {
  const created = events.filter(({ type, kind }) => type === `${findKind(kind)?.event}CreatedEvent`)
  const [first] = created
  if (first === undefined) return
  const followed = await searches.listFollowedSearches(transaction, organizationId)
  if (followed.length === 0) return
  const keys = created.flatMap(({ kind, subject }) => {
    const known = findKind(kind)
    return known === undefined ? [] : [{ kind: known.kind satisfies DocumentKind, id: subject }]
  })
  const principals = new Map(created.map((event) => [`${event.kind} ${event.subject}`, event]))
  const matches: searches.SearchMatch[] = []
  for (const search of followed) {
    const found = await findAmong(transaction, organizationId, parseFollowedSearch(search), keys)
    if (found.length === 0) continue
    const authors = new Set(found.map(({ kind, id }) => principals.get(`${kind} ${id}`)?.principal))
    const [author] = authors
    const names = found.slice(0, NAMES_MAX).map(({ name }) => name)
    const principal = authors.size === 1 ? (author ?? null) : null
    matches.push({ search, count: found.length, names, principal })
  }
  if (matches.length === 0) return
  await searches.insertSearchNotifications(transaction, organizationId, first.id, matches)
}

function findKind(kind: string): (typeof ALL_KINDS)[number] | undefined {
  return ALL_KINDS.find((one) => one.kind === kind)
}
