import { client, readBody } from './client.ts'
import { Problem } from './problem.ts'

/** A sign-in with an identity provider to start. */
interface ProviderSignIn {
  providerId: string
  /** The page to open afterwards. */
  next: string
  /** The token of the invitation that the person accepts. */
  invitation?: string
}

/** Starts a sign-in and leaves the page for the one of the provider. Errors: Problem. */
export async function startProviderSignIn(start: ProviderSignIn): Promise<void> {
  const { url } = await readBody(client.POST('/ui/sign-in/provider', { body: start }))
  const { providerId, next, invitation } = start
  await leave(url, { providerId, next, kind: invitation === undefined ? 'sign-in' : 'invitation' })
}

/**
 * Starts a sign-in in a new tab: this page and what was typed on it stay. `onSessionElsewhere` reports its end. Errors:
 * Problem, also if the browser blocks the tab.
 */
export async function openProviderSignIn(start: ProviderSignIn): Promise<void> {
  // Browsers open a tab only while they handle the click, which is before the server answers.
  const tab = window.open('', '_blank')
  if (tab === null) {
    throw new Problem(
      0,
      'The browser blocked the new tab',
      'Allow pop-up windows for this address, and try again.',
    )
  }
  try {
    const { url } = await readBody(client.POST('/ui/sign-in/provider', { body: start }))
    // The page of the provider gets no hold of this one.
    tab.opener = null
    tab.location.replace(url)
  } catch (error) {
    tab.close()
    throw error
  }
}

/** Starts to link the person who is signed in to a provider, and leaves the page. Errors: Problem. */
export async function startLinking(providerId: string, next: string): Promise<void> {
  const params = { path: { id: providerId } }
  const { url } = await readBody(
    client.POST('/ui/provider-identities/{id}', { params, body: { next } }),
  )
  await leave(url, { providerId, next, kind: 'link' })
}

/** Lets the person confirm with a provider that it is them, and leaves the page. Errors: Problem. */
export async function startConfirming(providerId: string, next: string): Promise<void> {
  const params = { path: { id: providerId } }
  const { url } = await readBody(
    client.POST('/ui/provider-identities/{id}/confirm', { params, body: { next } }),
  )
  await leave(url, { providerId, next, kind: 'confirm' })
}

/** Starts a sign-in that only shows its result to an owner, and leaves the page. Errors: Problem. */
export async function startTrying(providerId: string, next: string): Promise<void> {
  const params = { path: { id: providerId } }
  const { url } = await readBody(
    client.POST('/ui/identity-providers/{id}/try', { params, body: { next } }),
  )
  await leave(url, { providerId, next, kind: 'try' })
}

const STARTED = 'portbook-sign-in-started'

const KINDS = ['sign-in', 'invitation', 'link', 'confirm', 'try'] as const

/** A sign-in that this tab started. */
interface StartedSignIn {
  providerId: string
  /** The page to open afterwards; never the link of an invitation, which is a secret. */
  next: string
  kind: (typeof KINDS)[number]
}

/** Returns the sign-in with a provider that this tab started last; undefined = none that is kept. */
export function findStartedSignIn(providerId: string): StartedSignIn | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STARTED) ?? 'null')
    return isStarted(kept) && kept.providerId === providerId ? kept : undefined
  } catch {
    // Storage may be closed to us, or written by something else.
    return undefined
  }
}

function isStarted(kept: unknown): kept is StartedSignIn {
  if (typeof kept !== 'object' || kept === null) return false
  if (!('providerId' in kept && 'next' in kept && 'kind' in kept)) return false
  const { next, kind } = kept
  return typeof next === 'string' && KINDS.some((one) => one === kind)
}

async function leave(url: string, started: StartedSignIn): Promise<void> {
  try {
    sessionStorage.setItem(STARTED, JSON.stringify(started))
  } catch {
    // A sign-in that fails then leads to the sign-in page.
  }
  window.location.assign(url)
  await untilLeft()
}

const LEAVING_MS = 10_000

// The button stays busy until the other page is there; if it does not come, it can be pressed again.
async function untilLeft(): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, LEAVING_MS)
  })
}

const CHANNEL = 'portbook-session'

/** Reports to the other tabs that a session has begun. */
export function announceSession(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage('begun')
  channel.close()
}

/** Calls back when a session has begun in another tab. Returns a function that stops it. */
export function onSessionElsewhere(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', listener)
  return () => channel.close()
}
