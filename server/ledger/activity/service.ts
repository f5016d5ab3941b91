import type { Caller } from '../../requests/access/caller.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import type { NamedPrincipal } from '../principals/principal.ts'
import { namePrincipals } from '../principals/service.ts'
import type {
  ActivityChangesPage,
  ActivityFilters,
  ActivityGroup,
  ActivityPage,
  ChangeKey,
  GroupKey,
} from './activity.ts'
import { RANKED_KINDS } from '../../platform/kinds.ts'
import { daysAgo } from './source.ts'
import * as store from './store.ts'
import { toViewer } from './viewer.ts'
import { canSeeKey, selectVisibleNames } from './visible-names.ts'

type Work = Pick<Services, 'db'>

/** Lists groups of changes after a group, newest first. */
export async function listActivity(
  { db }: Work,
  caller: Caller,
  filters: ActivityFilters,
  page: { after?: GroupKey | undefined; limit: number },
): Promise<ActivityPage> {
  const { after, limit } = page
  const rows = await store.listGroups(db, toViewer(caller), filters, { after, limit })
  const groups = toGroups(rows)
  const visible = groups.slice(0, limit)
  const named = await namePrincipals(
    db,
    caller.organizationId,
    visible.map(({ actor }) => actor),
  )
  const names = new Map(named.map(({ principal, name }) => [principal, name]))
  const hasMore = groups.length > limit || rows[0]?.isCut === true
  const last = hasMore ? visible.at(-1) : undefined
  return {
    groups: visible.map((group) => ({ ...group, actorName: names.get(group.actor) ?? null })),
    next: last === undefined ? null : `${last.minute} ${last.actor}`,
  }
}

function toGroups(rows: readonly store.GroupRow[]): ActivityGroup[] {
  const groups: ActivityGroup[] = []
  for (const { minute, actor, total, breaking, tallies, ...change } of rows) {
    const last = groups.at(-1)
    if (last?.minute === minute && last.actor === actor) last.changes.push(change)
    else
      groups.push({ minute, actor, actorName: null, total, breaking, tallies, changes: [change] })
  }
  return groups
}

/** Lists the changes of a group after a change, breaking ones first. */
export async function listActivityChanges(
  { db }: Work,
  caller: Caller,
  filters: ActivityFilters,
  page: { group: GroupKey; after?: ChangeKey | undefined; limit: number },
): Promise<ActivityChangesPage> {
  const { group, after, limit } = page
  const rows = await store.listGroupChanges(db, toViewer(caller), filters, {
    group,
    after,
    limit: limit + 1,
  })
  const visible = rows.slice(0, limit)
  const last = rows.length > limit ? visible.at(-1) : undefined
  return {
    changes: visible,
    next: last === undefined ? null : [last.rank, last.kind, last.position, last.id].join(' '),
  }
}

/** Lists the actors of the filter: members, and the API keys that the caller can see, by name. */
export async function listActors(
  { db }: Work,
  caller: Caller,
): Promise<{ principal: string; name: string }[]> {
  return await store.listActors(db, caller.organizationId, canSeeKey(caller))
}

/** Returns the names of principals as `namePrincipals`, without those that the caller cannot see. */
export async function nameVisiblePrincipals(
  { db }: Work,
  caller: Caller,
  principals: readonly string[],
): Promise<NamedPrincipal[]> {
  return await namePrincipals(db, caller.organizationId, principals, selectVisibleNames(caller))
}

/** Lists the most important groups of the last days: those with breaking changes, and the newest. */
export async function listHighlights(
  work: Pick<Services, 'db' | 'clock'>,
  caller: Caller,
  { days, limit }: { days: number; limit: number },
): Promise<{ breaking: ActivityGroup[]; latest: ActivityGroup[] }> {
  const since = daysAgo(work.clock, days)
  // Owners look for changes of settings and keys on the page of activity.
  const kinds = [...RANKED_KINDS, 'ingestion-run' as const]
  const [breaking, latest] = await Promise.all([
    listActivity(work, caller, { kinds, since, levels: ['breaking'] }, { limit }),
    listActivity(work, caller, { kinds, since }, { limit }),
  ])
  return { breaking: breaking.groups, latest: latest.groups }
}
