import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { newTable } from '../../formats/name/table.ts'
import { classNames } from './class-names.ts'
import { CodeBlock } from './copy.tsx'

interface TextTab {
  title: string
  text: string
}

const STEPS = newTable<number>({ ArrowRight: 1, ArrowLeft: -1 })

/** Texts to copy, one of which is visible. The arrow keys change the tab. Tabs that do not fit wrap. */
export function TextTabs({ label, tabs }: { label: string; tabs: readonly TextTab[] }) {
  const [chosen, setChosen] = useState(tabs[0]?.title)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const found = tabs.findIndex(({ title }) => title === chosen)
  const current = Math.max(found, 0)
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key] ?? 0
    const ends = { Home: 0, End: tabs.length - 1 }
    const end = event.key === 'Home' || event.key === 'End' ? ends[event.key] : undefined
    const next = end ?? (current + step + tabs.length) % tabs.length
    if (next === current) return
    event.preventDefault()
    setChosen(tabs[next]?.title)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  const tab = tabs[current]
  if (tab === undefined) return null
  return (
    <div className="grid min-w-0 gap-2">
      <div ref={list} role="tablist" aria-label={label} className="flex flex-wrap gap-1">
        {tabs.map(({ title }, at) => (
          <button
            key={title}
            type="button"
            role="tab"
            id={`${id}-tab-${at}`}
            aria-selected={at === current}
            aria-controls={`${id}-panel`}
            tabIndex={at === current ? 0 : -1}
            onClick={() => setChosen(title)}
            onKeyDown={onKeyDown}
            className={classNames(
              'min-h-7 rounded-md px-2.5 text-sm',
              at === current
                ? 'bg-accent-soft font-medium text-ink'
                : 'text-muted hover:bg-sunken hover:text-ink',
            )}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${current}`}>
        <CodeBlock text={tab.text} label={tab.title} />
      </div>
    </div>
  )
}
