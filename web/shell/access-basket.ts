import { useSyncExternalStore } from 'react'
import { currentOrganization } from '../api/organization.ts'

/** An output port in the basket: access is requested to all of them together. */
export interface BasketItem {
  productId: string
  port: string
  /** The roles to request. */
  roles: readonly string[]
}

/** The maximum number of ports that are requested together. */
const BASKET_MAX = 50

const NONE: readonly BasketItem[] = []
const listeners = new Set<() => void>()
let known: { name: string; text: string; items: readonly BasketItem[] } | undefined

// The basket belongs to a tab and an organization, like the drafts of forms.
function getStorageName(): string {
  return `portbook-basket:${currentOrganization() ?? ''}`
}

function readBasket(): readonly BasketItem[] {
  const name = getStorageName()
  const text = findText(name)
  if (known?.name !== name || known.text !== text) known = { name, text, items: parse(text) }
  return known.items
}

function findText(name: string): string {
  try {
    return sessionStorage.getItem(name) ?? ''
  } catch {
    // Storage may be closed to us; then the basket is empty.
    return ''
  }
}

function parse(text: string): readonly BasketItem[] {
  if (text === '') return NONE
  try {
    const items: unknown = JSON.parse(text)
    return Array.isArray(items) ? items.filter(isItem).slice(0, BASKET_MAX) : NONE
  } catch {
    return NONE
  }
}

function isItem(item: unknown): item is BasketItem {
  return (
    typeof item === 'object' &&
    item !== null &&
    'productId' in item &&
    typeof item.productId === 'string' &&
    'port' in item &&
    typeof item.port === 'string' &&
    'roles' in item &&
    Array.isArray(item.roles)
  )
}

function writeBasket(items: readonly BasketItem[]): void {
  try {
    sessionStorage.setItem(getStorageName(), items.length === 0 ? '' : JSON.stringify(items))
  } catch {
    // Full or closed storage keeps nothing.
  }
  for (const notify of listeners) notify()
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify)
  return () => listeners.delete(notify)
}

/** Returns the output ports in the basket, in the order in which they were added. */
export function useBasket(): readonly BasketItem[] {
  return useSyncExternalStore(subscribe, readBasket)
}

function isSamePort(a: BasketItem, { productId, port }: Pick<BasketItem, 'productId' | 'port'>) {
  return a.productId === productId && a.port === port
}

/** Puts an output port into the basket, or replaces its roles. */
export function putIntoBasket(item: BasketItem): void {
  const items = readBasket()
  const isIn = items.some((one) => isSamePort(one, item))
  if (isIn) writeBasket(items.map((one) => (isSamePort(one, item) ? item : one)))
  else writeBasket([...items, item].slice(-BASKET_MAX))
}

/** Returns whether an output port is in a basket. */
export function isInBasket(
  items: readonly BasketItem[],
  port: Pick<BasketItem, 'productId' | 'port'>,
): boolean {
  return items.some((one) => isSamePort(one, port))
}

/** Takes an output port out of the basket. */
export function removeFromBasket(port: Pick<BasketItem, 'productId' | 'port'>): void {
  writeBasket(readBasket().filter((one) => !isSamePort(one, port)))
}
