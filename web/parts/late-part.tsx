import { ChevronDown, ChevronRight } from 'lucide-react'
import { Suspense, useId, useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Skeleton } from './notice.tsx'

interface LatePartProps {
  /** The words on the button. */
  title: ReactNode
  /** The words while its content loads. */
  loading: string
  isOpenAtFirst?: boolean
  /** Loads the code of the content, when it is about to be opened. */
  onPrepare?: () => void
  /** Rendered only while it is open. */
  children: ReactNode
}

/** A part of a page that is loaded and shown on demand. */
export function LatePart({
  title,
  loading,
  isOpenAtFirst = false,
  onPrepare,
  children,
}: LatePartProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const id = useId()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-2">
      <Button
        look="quiet"
        className="-ml-3"
        icon={isOpen ? ChevronDown : ChevronRight}
        aria-expanded={isOpen}
        aria-controls={id}
        onPointerEnter={onPrepare}
        onFocus={onPrepare}
        onClick={() => setOpen(!isOpen)}
      >
        {title}
      </Button>
      <div id={id} hidden={!isOpen} className="w-full min-w-0">
        {isOpen && (
          <Suspense fallback={<Skeleton lines={4} label={loading} />}>{children}</Suspense>
        )}
      </div>
    </div>
  )
}
