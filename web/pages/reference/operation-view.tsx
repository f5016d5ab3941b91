import { useEffect, useRef } from 'react'
import type { ObjectValue } from '../../../formats/text/value.ts'
import { CopyIcon } from '../../parts/copy.tsx'
import type { Operation } from './api-document.ts'
import { AnswersPanel } from './answers-panel.tsx'
import { Method } from './method.tsx'
import { TryPanel } from './try-panel.tsx'

interface OperationViewProps {
  operation: Operation
  schemas: ObjectValue
}

/** One operation: what it is for, a request to fill in and send, and how it ends. */
export function OperationView({ operation, schemas }: OperationViewProps) {
  const { method, path, summary, description, answers } = operation
  const heading = useRef<HTMLHeadingElement>(null)
  const wasFocused = useRef(false)
  useEffect(() => {
    // Who follows a link of the list on a narrow page is brought to what it leads to.
    if (!wasFocused.current && document.activeElement?.closest('nav') !== null) {
      heading.current?.scrollIntoView({ block: 'nearest' })
    }
    wasFocused.current = true
  }, [])
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <header className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h2 ref={heading} className="scroll-mt-16 text-lg">
          {summary}
        </h2>
        <div className="flex items-center gap-1 rounded-md border border-line bg-sunken py-0.5 pr-0.5 pl-3">
          <Method method={method} />
          <code className="min-w-0 flex-1 wrap-anywhere">{path}</code>
          <CopyIcon text={path} label="Copy path" />
        </div>
        {description !== '' && (
          <p className="max-w-prose whitespace-pre-line text-muted">{description}</p>
        )}
      </header>
      <TryPanel operation={operation} schemas={schemas} />
      <AnswersPanel answers={answers} schemas={schemas} />
    </article>
  )
}
