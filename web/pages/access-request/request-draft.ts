import type { Schemas } from '../../api/client.ts'
import type { RequestConsumer } from '../../documents/access/access-queries.ts'
import { addDays } from '../../documents/access/access-words.ts'
import { isSamePort, type BasketItem } from '../../shell/access-basket.ts'

/** The roles and the purpose of one of the output ports. */
export interface PortChoice extends BasketItem {
  roles: readonly string[]
  /** Used if each port has its own purpose. */
  purpose: string
}

/** A request while it is filled in. */
export interface AccessRequestDraft {
  consumer: 'me' | 'team' | 'product'
  /** The chosen team; empty = none. */
  team: string
  /** The chosen data product; empty = none. */
  product: string
  /** The purpose of all ports. */
  purpose: string
  /** Whether each port has its own purpose. */
  hasOwnPurposes: boolean
  /** The first day; empty = from the decision on. */
  start: string
  /** The last day with access; empty = no end. */
  last: string
  choices: readonly PortChoice[]
}

/** An empty request. */
export const NO_REQUEST: AccessRequestDraft = {
  consumer: 'me',
  team: '',
  product: '',
  purpose: '',
  hasOwnPurposes: false,
  start: '',
  last: '',
  choices: [],
}

/** The maximum length of a purpose in characters. */
export const PURPOSE_CHARACTERS_MAX = 4000

/** Returns the roles and the purpose of an output port. */
export function getChoice(
  { choices }: Pick<AccessRequestDraft, 'choices'>,
  item: BasketItem,
): PortChoice {
  return choices.find((one) => isSamePort(one, item)) ?? { ...item, roles: [], purpose: '' }
}

/** Changes the roles and the purpose of an output port. */
export function changeChoice(draft: AccessRequestDraft, choice: PortChoice): AccessRequestDraft {
  const others = draft.choices.filter((one) => !isSamePort(one, choice))
  return { ...draft, choices: [...others, choice] }
}

/** Gives each of the output ports its own purpose, which begins with that of all; or all of them one again. */
export function changeOwnPurposes(
  draft: AccessRequestDraft,
  items: readonly BasketItem[],
  hasOwnPurposes: boolean,
): AccessRequestDraft {
  const changed = { ...draft, hasOwnPurposes }
  if (!hasOwnPurposes) return changed
  return items
    .map((item) => getChoice(draft, item))
    .filter(({ purpose }) => purpose === '')
    .reduce((one, choice) => changeChoice(one, { ...choice, purpose: draft.purpose }), changed)
}

/** Returns whether each of the output ports of a request has its own purpose. */
export function hasSeveralPurposes(
  { hasOwnPurposes }: Pick<AccessRequestDraft, 'hasOwnPurposes'>,
  items: readonly BasketItem[],
): boolean {
  return hasOwnPurposes && items.length > 1
}

/** Returns the consumer of a request, as far as it is chosen. */
export function getConsumer({
  consumer,
  team,
  product,
}: Pick<AccessRequestDraft, 'consumer' | 'team' | 'product'>): RequestConsumer {
  if (consumer === 'team' && team !== '') return { consumerTeam: team }
  return consumer === 'product' && product !== '' ? { consumerProduct: product } : {}
}

/** Returns the form that the server accepts. */
export function toForm(
  draft: AccessRequestDraft,
  items: readonly BasketItem[],
  userId: string,
): Schemas['AccessRequestForm'] {
  const { consumer, team, product, purpose, start, last } = draft
  const consumers = {
    me: { userId },
    team: { teamId: team },
    product: { dataProductId: product },
  }
  const isSeveral = hasSeveralPurposes(draft, items)
  return {
    ports: items.map((item) => {
      const { productId, port, roles, purpose: own } = getChoice(draft, item)
      return { productId, port, roles: [...roles], ...(isSeveral && { purpose: own }) }
    }),
    consumer: consumers[consumer],
    ...(!isSeveral && { purpose }),
    ...(start !== '' && { startDate: start }),
    ...(last !== '' && { endDate: addDays(last, 1) }),
  }
}
