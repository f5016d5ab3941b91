import { keyOfPlace, type Place } from './branch.ts'

/** The open rows of the tree in the address. */
export interface OpenState {
  /** External ids of integrations. */
  integration: readonly string[]
  /** `open` = the assets without an integration. */
  clients: string
  /** Ids of assets. */
  open: readonly string[]
  /** `closed` = nothing is open, on purpose; without it the first level opens. */
  tree: string
}

interface Root {
  integrationExternalId: string | null
}

/** Roots that open by themselves at most. */
const ROOTS_OPEN_MAX = 10

/** Open places of an address at most: all of them load at once. */
const PLACES_MAX = 200

/** Lists the open places of the tree; an address that names none opens the first level. */
export function listOpenPlaces(state: OpenState, roots: readonly Root[]): Place[] {
  const { integration, clients, open } = state
  const places: Place[] = [
    ...integration.map((externalId) => ({ kind: 'integration', externalId }) as const),
    ...(clients === 'open' ? [{ kind: 'clients' } as const] : []),
    ...open.map((id) => ({ kind: 'asset', id }) as const),
  ]
  if (places.length === 0 && state.tree !== 'closed') {
    return roots
      .slice(0, ROOTS_OPEN_MAX)
      .map(({ integrationExternalId: externalId }) =>
        externalId === null ? { kind: 'clients' } : { kind: 'integration', externalId },
      )
  }
  return [...new Map(places.map((place) => [keyOfPlace(place), place])).values()].slice(
    0,
    PLACES_MAX,
  )
}

/** Returns the state after a place was opened or closed. */
export function toggleOpenPlace(places: readonly Place[], place: Place): OpenState {
  const key = keyOfPlace(place)
  const others = places.filter((one) => keyOfPlace(one) !== key)
  const after = others.length < places.length ? others : [...places, place]
  return {
    integration: after.flatMap((one) => (one.kind === 'integration' ? [one.externalId] : [])),
    clients: after.some(({ kind }) => kind === 'clients') ? 'open' : '',
    open: after.flatMap((one) => (one.kind === 'asset' ? [one.id] : [])),
    tree: after.length === 0 ? 'closed' : '',
  }
}
