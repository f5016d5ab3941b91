import { useCallback, useEffect, useRef, useState } from 'react'
import { currentOrganization } from '../api/organization.ts'

const PREFIX = 'portbook-draft:'
const WRITE_AFTER_MS = 300

// Drafts that were forgotten all at once are not written again by a page that is just leaving.
let forgottenCount = 0

/**
 * What somebody types, kept in this tab until it is saved: neither the end of a session nor a restart
 * of the server nor a reload loses it. `key` names what is being edited; what is typed in one
 * organization is not found in another. `discard` forgets it, after saving or on request; `isKept`
 * says that the value came from an earlier visit.
 */
export function useDraft<Value>(
  key: string,
  initial: Value,
): { value: Value; set: (value: Value) => void; discard: () => void; isKept: boolean } {
  const [organization] = useState(currentOrganization)
  const name = `${PREFIX}${organization ?? ''}:${key}`
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
      clearTimeout(pending.current?.timer)
      const typedAt = forgottenCount
      const write = (): void => {
        pending.current = undefined
        if (typedAt === forgottenCount) keep(name, next)
      }
      pending.current = { timer: setTimeout(write, WRITE_AFTER_MS), write }
    },
    [name],
  )
  const discard = useCallback(() => {
    clearTimeout(pending.current?.timer)
    pending.current = undefined
    forget(name)
  }, [name])
  return { value, set, discard, isKept: kept !== undefined }
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

/** Forgets every draft of this tab: what one person typed is not shown to the next. */
export function forgetDrafts(): void {
  forgottenCount += 1
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
    }
  } catch {
    // There was nothing kept.
  }
}
