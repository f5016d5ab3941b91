import { ChevronRight } from 'lucide-react'
import { Suspense, type ReactNode } from 'react'
import { formatPath, type Path } from '../../formats/text/value.ts'
import { Skeleton } from '../parts/notice.tsx'
import { useFold } from './reveal.ts'

interface FormMoreProps {
  title: string
  /** The paths of the document that the content edits. */
  paths: readonly Path[]
  /** Loads the code of the content before it is opened. */
  prepare: () => void
  children: ReactNode
}

/** A part of a form that few documents use: closed at first, and rendered once it is opened. */
export function FormMore({ title, paths, prepare, children }: FormMoreProps) {
  const [isOpen, setOpen] = useFold(paths, false)
  return (
    <details
      data-fields={paths.map(formatPath).join('\n')}
      className="group/more rounded-md border border-line"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary
        className="flex items-center gap-2 rounded-md px-2.5 py-2 font-medium marker:content-none hover:bg-hover"
        onPointerEnter={prepare}
        onFocus={prepare}
      >
        <ChevronRight
          size={14}
          aria-hidden
          className="shrink-0 text-muted transition-transform group-open/more:rotate-90"
        />
        {title}
      </summary>
      {isOpen && (
        <div className="grid gap-4 border-t border-line p-3">
          <Suspense fallback={<Skeleton lines={3} />}>{children}</Suspense>
        </div>
      )}
    </details>
  )
}
