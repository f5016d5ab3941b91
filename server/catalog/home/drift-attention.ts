import type { Instant } from '../../platform/kit/clock.ts'
import type { Attention } from './home.ts'

/** The maximum number of contracts with drift that have an item each. */
export const DRIFT_NAMED_MAX = 3

/** Reports data contracts that assets break: the newest ones, and the number of all if there are more. */
export function reportDrift(
  broken: readonly { id: string; name: string; count: number; since: Instant; total: number }[],
): Attention[] {
  const named = broken.slice(0, DRIFT_NAMED_MAX)
  const rest = (broken[0]?.total ?? 0) - named.length
  const items = named.map(({ id, name, count, since }): Attention => {
    return {
      kind: 'drift_open',
      severity: 'serious',
      title: `${name} differs from its table`,
      detail: `${count === 1 ? '1 difference breaks' : `${count} differences break`} the contract. Change the contract or the table, or accept the difference.`,
      target: { kind: 'data-contract', id, integrationExternalId: null },
      at: since,
      count,
    }
  })
  if (rest <= 0) return items
  const more: Attention = {
    kind: 'drift_open',
    severity: 'serious',
    title: `${rest} more data ${rest === 1 ? 'contract differs' : 'contracts differ'} from their tables`,
    detail: 'Change the contracts or the tables, or accept the differences.',
    target: { kind: 'data-contract', id: null, integrationExternalId: null },
    at: null,
    count: rest,
  }
  return [...items, more]
}
