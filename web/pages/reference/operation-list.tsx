import { useEffect, useRef } from 'react'
import { classNames } from '../../parts/class-names.ts'
import { Link } from '../../parts/link.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { paths } from '../../paths.ts'
import type { Operation } from './api-document.ts'
import { Method } from './method.tsx'
import { listOperationGroups } from './operation-groups.ts'

interface OperationListProps {
  operations: readonly Operation[]
  filter: string
  /** The operation that is looked at; empty = none. */
  current: string
  onFilter: (filter: string) => void
}

/** All operations by what they are about, narrowed by a text. */
export function OperationList({ operations, filter, current, onFilter }: OperationListProps) {
  const groups = listOperationGroups(operations, filter)
  const list = useRef<HTMLElement>(null)
  useEffect(() => showCurrent(list.current), [])
  return (
    <nav
      ref={list}
      aria-label="Operations"
      className="grid max-h-72 content-start gap-4 overflow-y-auto rounded-lg border border-line bg-surface p-3 lg:sticky lg:top-16 lg:max-h-[calc(100dvh-5.5rem)]"
    >
      <SearchField
        label="Filter operations"
        placeholder="Path or keyword"
        value={filter}
        onChange={onFilter}
      />
      <ul>
        <li>
          <ListLink href={paths.reference({ q: filter })} isCurrent={current === ''}>
            How the API works
          </ListLink>
        </li>
      </ul>
      {groups.length === 0 && (
        <p className="px-2 text-muted">No operations match. Change or clear the filter.</p>
      )}
      {groups.map(({ title, operations: some }) => (
        <div key={title}>
          <h2 className="px-2 pb-1 text-xs font-medium text-faint">{title}</h2>
          <ul>
            {some.map(({ id, method, summary }) => (
              <li key={id}>
                <ListLink href={paths.reference({ op: id, q: filter })} isCurrent={current === id}>
                  <Method method={method} />
                  <span className="min-w-0">{summary}</span>
                </ListLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

// Only the list is scrolled, not the page.
function showCurrent(list: HTMLElement | null): void {
  const current = list?.querySelector('[aria-current=page]')
  if (list === null || !(current instanceof HTMLElement)) return
  const distance = current.getBoundingClientRect().bottom - list.getBoundingClientRect().bottom
  if (distance > 0) list.scrollTop += distance + list.clientHeight / 2
}

interface ListLinkProps {
  href: string
  isCurrent: boolean
  children: React.ReactNode
}

function ListLink({ href, isCurrent, children }: ListLinkProps) {
  return (
    <Link
      href={href}
      plain
      aria-current={isCurrent ? 'page' : undefined}
      className={classNames(
        'flex items-baseline gap-1.5 rounded-md px-2 py-1 text-sm',
        isCurrent ? 'bg-accent-soft font-medium text-accent' : 'hover:bg-hover',
      )}
    >
      {children}
    </Link>
  )
}
