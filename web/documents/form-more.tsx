import { ChevronRight } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import { Skeleton } from '../parts/notice.tsx'

interface FormMoreProps {
  title: string
  /** Loads the code of the content before it is opened. */
  prepare: () => void
  children: ReactNode
}

/** A part of a form that few documents use: closed at first, and rendered once it is opened. */
export function FormMore({ title, prepare, children }: FormMoreProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className="group rounded-md border border-line"
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
          className="shrink-0 text-muted transition-transform group-open:rotate-90"
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
