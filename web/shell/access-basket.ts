import { useSyncExternalStore } from 'react'
import { currentOrganization } from '../api/organization.ts'

/** An output port in the basket: access is requested to all of them together. */
export interface BasketItem {
  productId: string
  port: string
}

/** The maximum number of ports that are requested together. */
export const BASKET_MAX = 50

/** The prefix of what is stored: a basket for each organization. */
export const BASKET_PREFIX = 'portbook-basket:'

const NONE: readonly BasketItem[] = []
const listeners = new Set<() => void>()
let known: { name: string; text: string; items: readonly BasketItem[] } | undefined

// The basket belongs to a tab and an organization, like the drafts of forms.
function getStorageName(): string {
  return `${BASKET_PREFIX}${currentOrganization() ?? ''}`
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
    if (!Array.isArray(items)) return NONE
    const ports = items.filter(isItem).map(({ productId, port }) => ({ productId, port }))
    return ports.slice(0, BASKET_MAX)
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
    typeof item.port === 'string'
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

/** Returns whether two output ports are the same. */
export function isSamePort(a: BasketItem, { productId, port }: BasketItem): boolean {
  return a.productId === productId && a.port === port
}

/** Returns whether an output port is in a basket. */
export function isInBasket(items: readonly BasketItem[], port: BasketItem): boolean {
  return items.some((one) => isSamePort(one, port))
}

/** Puts an output port into the basket, unless it is in it or the basket is full. */
export function addToBasket({ productId, port }: BasketItem): void {
  const items = readBasket()
  if (isInBasket(items, { productId, port }) || items.length >= BASKET_MAX) return
  writeBasket([...items, { productId, port }])
}

/** Takes an output port out of the basket. */
export function removeFromBasket(port: BasketItem): void {
  writeBasket(readBasket().filter((one) => !isSamePort(one, port)))
}
