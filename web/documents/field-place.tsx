import type { ReactNode } from 'react'
import { formatPath, type Path } from '../../formats/text/value.ts'

/** Marks a part of the form as the place of a path of the document; it has no box of its own. */
export function FieldPlace({ path, children }: { path: Path; children: ReactNode }) {
  return (
    <div data-field={formatPath(path)} className="contents">
      {children}
    </div>
  )
}
