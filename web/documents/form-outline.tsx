import { ChevronRight } from 'lucide-react'
import { Suspense, useDeferredValue, useState, type ReactNode } from 'react'
import { formatPath, type Path } from '../../formats/text/value.ts'
import { useFirstInput } from '../parts/first-input.ts'
import { useFolds } from '../shell/folds.ts'
import type { DocumentFormProps } from './document-kind.ts'
import { OutlineList } from './outline-list.tsx'
import type { OutlineMarks } from './outline-marks.ts'
import { findSection } from './outline-parts.ts'
import { useReveal } from './reveal.ts'
import { useSectionLinks } from './section-links.ts'
import { MarkStatuses, useOutlineMarks } from './use-outline-marks.ts'

/** A section of a long form. */
export interface OutlineSection {
  /** The end of the section's address: `output-ports`. */
  id: string
  title: string
  /** The paths of the document that the section edits. */
  paths: readonly Path[]
  /** Its content in a few words, shown while it is folded. */
  summary: string
  content: ReactNode
}

interface FormOutlineProps {
  /** The form, for remembering which sections are open. */
  name: string
  form: DocumentFormProps
  sections: readonly OutlineSection[]
  /** The sections that are open until a person closes them. */
  openFirst: readonly string[]
}

/** A long form: the list of its sections, which follows the scroll, and the sections, which fold. */
export function FormOutline({ name, form, sections, openFirst }: FormOutlineProps) {
  const marks = useOutlineMarks(sections, form)
  const [folds, setFolds] = useFolds(form.isNew ? `${name} new` : name)
  // A document that is opened with errors shows them.
  const [open] = useState(() => [
    ...openFirst,
    ...form.problems.flatMap(({ severity, field }) =>
      severity === 'error' ? (findSection(sections, field) ?? []) : [],
    ),
  ])
  const isOpen = (id: string): boolean => folds[id] ?? open.includes(id)
  useReveal([[]], (field) => {
    const id = findSection(sections, field)
    if (id !== undefined) setFolds({ [id]: true }, { isKept: false })
  })
  const setAll = (isAllOpen: boolean): void =>
    setFolds(Object.fromEntries(sections.map(({ id }) => [id, isAllOpen])))
  const links = useSectionLinks(sections, (id) => setFolds({ [id]: true }))
  // Folded sections are on the page for its search, but nothing waits for them.
  const isComplete = useDeferredValue(useFirstInput(), false)
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4 xl:grid-cols-[9.5rem_minmax(0,1fr)]">
      <OutlineList
        sections={sections}
        marks={marks}
        links={links}
        areAllOpen={sections.every(({ id }) => isOpen(id))}
        onSetAll={setAll}
        onShowField={form.onShowField}
      />
      <div className="@container grid min-w-0 grid-cols-1 content-start gap-2">
        {sections.map((section) => (
          <FoldedSection
            key={section.id}
            section={section}
            marks={marks.get(section.id)}
            isOpen={isOpen(section.id)}
            isRendered={isComplete || isOpen(section.id)}
            onToggle={(isNowOpen) => setFolds({ [section.id]: isNowOpen })}
          />
        ))}
      </div>
    </div>
  )
}

interface FoldedSectionProps {
  section: OutlineSection
  marks: OutlineMarks | undefined
  isOpen: boolean
  isRendered: boolean
  onToggle: (isOpen: boolean) => void
}

// Browsers open a details element when their search or an address leads into it.
function FoldedSection({ section, marks, isOpen, isRendered, onToggle }: FoldedSectionProps) {
  const { id, title, paths, summary, content } = section
  return (
    <details
      id={id}
      data-section
      data-fields={paths.map(formatPath).join('\n')}
      className="group/section scroll-mt-24 rounded-md border border-line xl:scroll-mt-16"
      open={isOpen}
      onToggle={({ currentTarget, target }) => {
        if (target === currentTarget && currentTarget.open !== isOpen) onToggle(currentTarget.open)
      }}
    >
      <summary className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 rounded-md px-2.5 py-1.5 marker:content-none hover:bg-hover">
        <ChevronRight
          size={14}
          aria-hidden
          className="shrink-0 text-muted transition-transform group-open/section:rotate-90"
        />
        <h3 className="shrink-0 text-base">{title}</h3>
        <span className="user-text min-w-0 flex-1 truncate text-sm text-muted group-open/section:invisible">
          {summary}
        </span>
        <Suspense fallback={null}>{marks !== undefined && <MarkStatuses marks={marks} />}</Suspense>
      </summary>
      {isRendered && (
        <div className="grid grid-cols-1 gap-4 border-t border-line p-3">{content}</div>
      )}
    </details>
  )
}
