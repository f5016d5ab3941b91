import { startTransition, useEffect, useState } from 'react'
import { FIRST_INPUTS } from './lazy-part.ts'

/** Returns whether a person has begun to use the page: what only a later act needs can be rendered then. */
export function useFirstInput(): boolean {
  const [isUsed, setUsed] = useState(false)
  useEffect(() => {
    if (isUsed) return undefined
    const use = (): void => startTransition(() => setUsed(true))
    for (const type of FIRST_INPUTS) globalThis.addEventListener(type, use, { passive: true })
    return () => {
      for (const type of FIRST_INPUTS) globalThis.removeEventListener(type, use)
    }
  }, [isUsed])
  return isUsed
}
