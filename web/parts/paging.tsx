import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from './button.tsx'

interface PagingProps {
  /** The accessible name of the links. */
  label: string
  /** The number of the page, from 0. */
  page: number
  hasNext: boolean
  /** Returns the address of a page; its `p` is empty for the first one. */
  toPage: (p: string) => string
  /** The page that comes before; the previous one by default. */
  previous?: number
  words?: readonly [previous: string, next: string]
  /** Between the links. */
  children?: ReactNode
}

/** Links to the previous and the next page; nothing if there is only one page. */
export function Paging(props: PagingProps) {
  const { label, page, hasNext, toPage, previous = page - 1, children } = props
  const [previousWord, nextWord] = props.words ?? ['Previous', 'Next']
  if (page === 0 && !hasNext) return null
  const to = (one: number): string => toPage(one === 0 ? '' : String(one))
  return (
    <nav aria-label={label} className="flex items-center justify-between gap-3 px-4 py-3">
      <ButtonLink
        href={to(previous)}
        icon={ChevronLeft}
        reason={page === 0 ? 'This is the first page.' : undefined}
      >
        {previousWord}
      </ButtonLink>
      {children}
      <ButtonLink href={to(page + 1)} reason={hasNext ? undefined : 'This is the last page.'}>
        {nextWord}
        <ChevronRight size={14} aria-hidden />
      </ButtonLink>
    </nav>
  )
}
