import { ChevronDown } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { classNames } from '../parts/class-names.ts'
import type { OutlineMarks } from './outline-marks.ts'
import { SOURCE_ONLY } from './outline-parts.ts'
import { ItemMarks } from './use-outline-marks.ts'

interface OutlineListProps {
  sections: readonly { id: string; title: string }[]
  marks: ReadonlyMap<string, OutlineMarks>
  links: { current: string | undefined; goTo: (id: string) => void }
  areAllOpen: boolean
  onSetAll: (areOpen: boolean) => void
  onShowField: (field: string) => void
}

/** The sections of a form: beside it on a wide page, and above it, behind a button, on a narrow one. */
export function OutlineList(props: OutlineListProps) {
  const { sections, marks, links, areAllOpen, onSetAll } = props
  const [isShown, setShown] = useState(false)
  const current = sections.find(({ id }) => id === links.current)
  const rest = marks.get(SOURCE_ONLY)
  const showField = (field: string): void => {
    setShown(false)
    props.onShowField(field)
  }
  return (
    <nav
      aria-label="Sections of the form"
      className="sticky top-12 z-20 -mx-4 -mt-4 self-start border-b border-line bg-surface px-4 py-1.5 xl:top-16 xl:z-auto xl:m-0 xl:max-h-[calc(100dvh-5rem)] xl:overflow-y-auto xl:border-0 xl:p-0"
    >
      <Button
        look="quiet"
        icon={ChevronDown}
        className="-ml-2 max-w-full xl:hidden!"
        aria-expanded={isShown}
        onClick={() => setShown(!isShown)}
      >
        <span className="truncate">Section: {current?.title}</span>
      </Button>
      <div
        className={classNames(
          'max-h-[60dvh] overflow-y-auto xl:block xl:max-h-none',
          !isShown && 'hidden',
        )}
      >
        <ol className="grid gap-0.5">
          {sections.map(({ id, title }) => (
            <OutlineItem
              key={id}
              id={id}
              title={title}
              isCurrent={id === links.current}
              marks={marks.get(id)}
              onShowField={showField}
              onFollow={() => {
                setShown(false)
                links.goTo(id)
              }}
            />
          ))}
          {rest !== undefined && (
            <li className="px-2 py-1 text-sm text-muted">
              Only in the source
              <Suspense fallback={null}>
                <ItemMarks title="the source" marks={rest} onShowField={showField} />
              </Suspense>
            </li>
          )}
        </ol>
        <Button look="quiet" className="mt-1 text-sm" onClick={() => onSetAll(!areAllOpen)}>
          {areAllOpen ? 'Fold all' : 'Unfold all'}
        </Button>
      </div>
    </nav>
  )
}

interface OutlineItemProps {
  id: string
  title: string
  isCurrent: boolean
  marks: OutlineMarks | undefined
  onFollow: () => void
  onShowField: (field: string) => void
}

function OutlineItem({ id, title, isCurrent, marks, onFollow, onShowField }: OutlineItemProps) {
  return (
    <li
      className={classNames(
        'rounded-md border-l-2 text-sm',
        isCurrent ? 'border-accent bg-accent-soft' : 'border-transparent',
      )}
    >
      <a
        href={`#${id}`}
        aria-current={isCurrent ? 'location' : undefined}
        className={classNames(
          'block rounded-md px-2 py-1 hover:bg-hover',
          isCurrent ? 'font-medium text-accent' : 'text-muted hover:text-ink',
        )}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          onFollow()
        }}
      >
        {title}
      </a>
      <Suspense fallback={null}>
        {marks !== undefined && <ItemMarks title={title} marks={marks} onShowField={onShowField} />}
      </Suspense>
    </li>
  )
}
