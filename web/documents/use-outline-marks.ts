import { useEffect, useMemo, useState } from 'react'
import { newFloatingChunk, takePart } from '../parts/lazy-part.ts'
import type { DocumentFormProps } from './document-kind.ts'
import type * as Marks from './outline-marks.ts'
import type { OutlinePart } from './outline-parts.ts'

// A document without problems and changes needs neither.
const chunk = newFloatingChunk(() => import('./outline-marks.ts'))
const view = newFloatingChunk(() => import('./outline-marks-view.tsx'))

/** The marks of a section at its head. */
export const MarkStatuses = takePart(view, (module) => module.MarkStatuses)

/** The marks of a section in the list of sections. */
export const ItemMarks = takePart(view, (module) => module.ItemMarks)

const NONE: ReadonlyMap<string, Marks.OutlineMarks> = new Map()

/** Returns the marks of each section, by its id. */
export function useOutlineMarks(
  sections: readonly OutlinePart[],
  { problems, base, value }: Pick<DocumentFormProps, 'problems' | 'base' | 'value'>,
): ReadonlyMap<string, Marks.OutlineMarks> {
  const [module, setModule] = useState<typeof Marks>()
  const isWanted = problems.length > 0 || base !== undefined
  useEffect(() => {
    // Without the marks, the list of problems remains.
    if (isWanted) chunk.load().then(setModule, () => undefined)
  }, [isWanted])
  return useMemo(
    () => module?.countOutlineMarks(sections, problems, base, value) ?? NONE,
    // The sections have the same paths for equal values.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [module, problems, base, value],
  )
}
