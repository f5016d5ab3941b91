import { useEffect, useRef, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Link } from './link.tsx'

/** One view of a page, with its address. */
interface Tab {
  title: string
  href: string
  isCurrent: boolean
  /** The number of items, or its text; undefined if unknown. */
  count?: number | string | undefined
}

/** The views of a page, each with an address of its own. Where they do not all fit they scroll sideways. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const place = useRef<HTMLElement>(null)
  const current = tabs.find(({ isCurrent }) => isCurrent)?.href
  // The page itself must not move: only what scrolls sideways does.
  useEffect(() => {
    const nav = place.current
    const tab = nav?.querySelector<HTMLElement>('[aria-current]')
    if (current === undefined || nav === null || tab === null || tab === undefined) return
    const hidden = tab.offsetLeft + tab.offsetWidth - nav.offsetLeft - nav.clientWidth
    if (hidden > nav.scrollLeft) nav.scrollLeft = hidden
  }, [current])
  return (
    <nav
      ref={place}
      aria-label={label}
      className="scroll-hint mb-5 flex gap-1 overflow-x-auto border-b border-line"
    >
      {tabs.map(({ title, href, isCurrent, count }) => (
        <Link
          key={href}
          href={href}
          plain
          aria-current={isCurrent ? 'page' : undefined}
          className={classNames(
            '-mb-px border-b-2 px-2.5 py-2 whitespace-nowrap sm:px-3',
            isCurrent
              ? 'border-accent font-medium text-ink'
              : 'border-transparent text-muted hover:text-ink',
          )}
        >
          {title}
          {count !== undefined && <Count>{count}</Count>}
        </Link>
      ))}
    </nav>
  )
}

/** A number beside a word. */
export function Count({ children }: { children: ReactNode }) {
  return (
    <span className="figures ml-1.5 rounded-full bg-sunken px-1.5 text-xs font-normal text-muted">
      {children}
    </span>
  )
}
