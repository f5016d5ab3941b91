import { useCallback, useState } from 'react'

const PREFIX = 'portbook-folds:'

/** The parts that a person opened (true) or closed (false), by their ids. */
type Folds = Readonly<Record<string, boolean>>

/**
 * Remembers in this browser which parts a person opened or closed. `name` is the form or the list that has the parts.
 * Parts that were never touched are absent.
 */
export function useFolds(
  name: string,
): [folds: Folds, setFolds: (patch: Folds, options?: { isKept: boolean }) => void] {
  const key = `${PREFIX}${name}`
  const [folds, setState] = useState<Folds>(() => parseFolds(find(key)))
  const setFolds = useCallback(
    (patch: Folds, { isKept } = { isKept: true }) => {
      setState((before) => ({ ...before, ...patch }))
      // Another tab may have changed other parts.
      if (isKept) keep(key, { ...parseFolds(find(key)), ...patch })
    },
    [key],
  )
  return [folds, setFolds]
}

/** Reads what the browser stored; what has another form is ignored. */
export function parseFolds(text: string | undefined): Folds {
  try {
    const stored = Object.entries(Object(JSON.parse(text ?? '{}')))
    return Object.fromEntries(
      stored.flatMap(([id, isOpen]) => (typeof isOpen === 'boolean' ? [[id, isOpen]] : [])),
    )
  } catch {
    // A person or a program has written something else there.
    return {}
  }
}

function find(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    // Storage may be closed to us; then nothing is remembered.
    return undefined
  }
}

function keep(key: string, folds: Folds): void {
  try {
    localStorage.setItem(key, JSON.stringify(folds))
  } catch {
    // Full or closed storage remembers nothing.
  }
}
