import { createContext, use, useState } from 'react'
import { formatPath, type Path } from '../../formats/text/value.ts'
import { isInside } from './touched-fields.ts'

/** A field of the form that is to be shown and focused. Each request is a new object. */
export interface Reveal {
  /** A dotted path. */
  field: string
}

/** The last field that was to be shown; undefined = none. */
export const RevealContext = createContext<Reveal | undefined>(undefined)

/** Returns whether a field is at a path or below it. */
export function holdsField(path: Path, field: string): boolean {
  const own = formatPath(path)
  return own === '' || own === field || isInside(field, own)
}

/** Calls `onReveal` while rendering, once for each field at or below one of the paths that is to be shown. */
export function useReveal(paths: readonly Path[], onReveal: (field: string) => void): void {
  const target = use(RevealContext)
  const [last, setLast] = useState<Reveal>()
  if (target === last) return
  setLast(target)
  if (target !== undefined && paths.some((path) => holdsField(path, target.field))) {
    onReveal(target.field)
  }
}

/** The state of something that folds; it opens when a field at or below one of the paths is to be shown. */
export function useFold(
  paths: readonly Path[],
  isOpenFirst: boolean,
): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(isOpenFirst)
  useReveal(paths, () => setOpen(true))
  return [isOpen, setOpen]
}
