import { ChevronDown, ChevronRight } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'

interface FoldButtonProps {
  isOpen: boolean
  /** The id of the region that it opens. */
  controls: string
  onToggle: () => void
  /** Called before a press, to load what the region shows. */
  onPrepare?: () => void
  children: ReactNode
}

/** The name of a row that opens its details. */
export function FoldButton({ isOpen, controls, onToggle, onPrepare, children }: FoldButtonProps) {
  const Icon = isOpen ? ChevronDown : ChevronRight
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={controls}
      onPointerEnter={onPrepare}
      onFocus={onPrepare}
      onClick={onToggle}
      className="-ml-1 flex min-h-7 min-w-0 items-center gap-1.5 rounded px-1 text-left hover:bg-hover"
    >
      <Icon size={14} aria-hidden className="shrink-0 text-muted" />
      <span className="user-text">{children}</span>
    </button>
  )
}

interface FoldProps {
  id: string
  isOpen: boolean
  /** Opens the region in which the browser's own search found a text. */
  onFound: () => void
  className?: string
  children: ReactNode
}

/** A region that is folded, in which the search of the browser still finds texts. */
export function Fold({ id, isOpen, onFound, className, children }: FoldProps) {
  const region = useRef<HTMLDivElement>(null)
  const listener = useRef(onFound)
  // React writes `hidden` without a value, which hides texts from the search.
  useLayoutEffect(() => {
    if (isOpen) region.current?.removeAttribute('hidden')
    else region.current?.setAttribute('hidden', 'until-found')
  }, [isOpen])
  useEffect(() => {
    listener.current = onFound
  })
  useEffect(() => {
    const { current } = region
    const open = (): void => listener.current()
    current?.addEventListener('beforematch', open)
    return () => current?.removeEventListener('beforematch', open)
  }, [])
  return (
    <div ref={region} id={id} className={className}>
      {children}
    </div>
  )
}
