import type { Schemas } from '../../api/client.ts'
import { addDays } from '../../documents/access/access-words.ts'
import type { BasketItem } from '../../shell/access-basket.ts'

/** A request while it is filled in. */
export interface AccessRequestDraft {
  consumer: 'me' | 'team' | 'product'
  /** The chosen team; empty = none. */
  team: string
  /** The chosen data product; empty = none. */
  product: string
  purpose: string
  /** The first day; empty = from the decision on. */
  start: string
  /** The last day with access; empty = no end. */
  last: string
}

/** An empty request. */
export const NO_REQUEST: AccessRequestDraft = {
  consumer: 'me',
  team: '',
  product: '',
  purpose: '',
  start: '',
  last: '',
}

/** The maximum length of a purpose in characters. */
export const PURPOSE_CHARACTERS_MAX = 4000

/** Returns the form that the server accepts. */
export function toForm(
  { consumer, team, product, purpose, start, last }: AccessRequestDraft,
  items: readonly BasketItem[],
  userId: string,
): Schemas['AccessRequestForm'] {
  const consumers = {
    me: { userId },
    team: { teamId: team },
    product: { dataProductId: product },
  }
  return {
    ports: items.map(({ productId, port, roles }) => ({ productId, port, roles: [...roles] })),
    consumer: consumers[consumer],
    purpose,
    ...(start !== '' && { startDate: start }),
    ...(last !== '' && { endDate: addDays(last, 1) }),
  }
}
