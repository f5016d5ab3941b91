import { RECORDS } from '../../../formats/record/kinds.ts'
import type { NotificationKind } from './kinds.ts'
import type { NotificationTarget } from './notification.ts'

/** A notification as far as its link needs it. */
interface Linked {
  kind: NotificationKind
  target: NotificationTarget
}

/**
 * Returns the address of the page that a notification leads to, for messages outside of the pages; the list of
 * notifications if it has none.
 */
export function toNotificationUrl(baseUrl: string, { kind, target }: Linked): string {
  const path = target === null ? undefined : findPath(kind, target)
  return `${baseUrl}${path ?? '/notifications'}`
}

function findPath(
  kind: NotificationKind,
  target: NonNullable<NotificationTarget>,
): string | undefined {
  const id = encodeURIComponent(target.id)
  switch (target.kind) {
    case 'data-product':
      return `/data-products/${id}${toComparison(kind, target.version)}`
    case 'data-contract':
      return `/data-contracts/${id}${toComparison(kind, target.version)}`
    case 'team':
      return `/teams/${id}`
    case 'test-result':
      return `/test-results/${id}`
    case 'integration':
      return `/integrations/${id}`
    case 'run': {
      const run = target.runId === null ? '' : `/runs/${encodeURIComponent(target.runId)}`
      return `/integrations/${id}${run}`
    }
    case 'api-keys':
      return '/api-keys'
    case 'search':
      // The id of a search is its query.
      return `/search?${new URLSearchParams(target.id).toString()}`
    case 'record': {
      const record = RECORDS.find((one) => one.kind === target.subjectKind)
      return record && `/${record.pages}/${id}`
    }
    case 'access':
      return `/access/${id}`
    case 'webhook':
      return `/settings/webhooks/${id}`
  }
}

// A change is shown as the comparison with the version before it.
function toComparison(kind: NotificationKind, version: number | null): string {
  if (kind !== 'breaking_change' || version === null || version < 2) return ''
  return `/versions?from=${version - 1}&to=${version}`
}
