import { useCallback, useEffect, useRef, useState } from 'react'
import { currentOrganization } from '../api/organization.ts'
import { BASKET_PREFIX } from './access-basket.ts'

const PREFIX = 'portbook-draft:'
const TRIAL_PREFIX = 'portbook-trial:'
const WRITE_AFTER_MS = 300

// Drafts that were forgotten all at once are not written again by a page that is just leaving.
let forgottenCount = 0

// What was typed within the last moment and is not kept yet.
const waiting = new Set<() => void>()

// Leaving right after a key press must not lose it.
if (typeof window !== 'undefined') {
  window.addEventListener('pagehide', () => {
    for (const write of waiting) write()
  })
}

/** The kind of a draft: work that must not be lost, or a trial that is never saved. */
type DraftKind = 'work' | 'trial'

/**
 * Keeps input in this tab until it is saved; the end of a session, a restart of the server and a reload do
 * not lose it. `key` names the edited object; drafts belong to one organization. `discard` removes the draft,
 * and `isKept` reports that the value is from an earlier visit. Trials are discarded without confirmation.
 */
export function useDraft<Value>(
  key: string,
  initial: Value,
  kind: DraftKind = 'work',
): { value: Value; set: (value: Value) => void; discard: () => void; isKept: boolean } {
  const [organization] = useState(currentOrganization)
  const name = `${kind === 'work' ? PREFIX : TRIAL_PREFIX}${organization ?? ''}:${key}`
  const [kept] = useState<{ value: Value } | undefined>(() => {
    const text = find(name)
    return text === undefined ? undefined : { value: JSON.parse(text) }
  })
  const [value, setValue] = useState<Value>(kept === undefined ? initial : kept.value)
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; write: () => void }>(undefined)
  useEffect(
    () => () => {
      clearTimeout(pending.current?.timer)
      pending.current?.write()
    },
    [],
  )
  const set = useCallback(
    (next: Value) => {
      setValue(next)
      stopWaiting(pending.current)
      const typedAt = forgottenCount
      const write = (): void => {
        pending.current = undefined
        waiting.delete(write)
        if (typedAt === forgottenCount) keep(name, next)
      }
      if (kind === 'work') waiting.add(write)
      pending.current = { timer: setTimeout(write, WRITE_AFTER_MS), write }
    },
    [name, kind],
  )
  const discard = useCallback(() => {
    stopWaiting(pending.current)
    pending.current = undefined
    forget(name)
  }, [name])
  return { value, set, discard, isKept: kept !== undefined }
}

function stopWaiting(
  pending: { timer: ReturnType<typeof setTimeout>; write: () => void } | undefined,
) {
  if (pending === undefined) return
  clearTimeout(pending.timer)
  waiting.delete(pending.write)
}

function find(name: string): string | undefined {
  try {
    return sessionStorage.getItem(name) ?? undefined
  } catch {
    // Storage may be closed to us; then nothing was kept.
    return undefined
  }
}

function keep(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(value))
  } catch {
    // Full or closed storage keeps nothing; the page itself still holds what was typed.
  }
}

function forget(name: string): void {
  try {
    sessionStorage.removeItem(name)
  } catch {
    // There was nothing kept.
  }
}

/** Whether this tab holds work that was typed and not saved, in any organization. */
export function hasDrafts(): boolean {
  return waiting.size > 0 || getKeys(PREFIX).length > 0
}

/** Forgets every draft and basket of this tab: what one person typed or chose is not shown to the next. */
export function forgetDrafts(): void {
  forgottenCount += 1
  for (const key of [PREFIX, TRIAL_PREFIX, BASKET_PREFIX].flatMap(getKeys)) forget(key)
}

function getKeys(prefix: string): string[] {
  try {
    return Object.keys(sessionStorage).filter((key) => key.startsWith(prefix))
  } catch {
    // Closed storage holds nothing.
    return []
  }
}
