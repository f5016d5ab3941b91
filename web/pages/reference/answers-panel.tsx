import type { ObjectValue } from '../../../formats/text/value.ts'
import { CodeBlock } from '../../parts/copy.tsx'
import { Panel } from '../../parts/page.tsx'
import { ToneIcon } from '../../parts/status.tsx'
import type { ApiAnswer } from './api-document.ts'
import { createExample } from './example.ts'
import { refName } from './shape.ts'
import { ShapeTree } from './shape-tree.tsx'

interface AnswersPanelProps {
  answers: readonly ApiAnswer[]
  schemas: ObjectValue
}

/** The responses of an operation: successes in full, errors in one line each. */
export function AnswersPanel({ answers, schemas }: AnswersPanelProps) {
  const good = answers.filter(({ status }) => status < '400')
  const errors = answers.filter(({ status }) => status >= '400')
  return (
    <Panel title="Responses">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {good.map((answer) => (
          <GoodAnswer key={answer.status} answer={answer} schemas={schemas} />
        ))}
        {errors.length > 0 && (
          <div className="grid gap-1.5">
            <h3 className="text-sm">Errors</h3>
            <p className="text-sm text-muted">
              As <code>application/problem+json</code>; <code>detail</code> explains what to do.
            </p>
            <ul className="grid gap-1">
              {errors.map(({ status, description }) => (
                <li key={status} className="flex gap-3">
                  <code className="font-semibold">{status}</code>
                  <span>{description}</span>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </Panel>
  )
}

function GoodAnswer({ answer, schemas }: { answer: ApiAnswer; schemas: ObjectValue }) {
  const { status, description, content, headers } = answer
  const [first] = content
  const types = content.map(({ mediaType }) => mediaType).join(' or ')
  const isDocument = first !== undefined && refName(first.schema) === 'Document'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="flex flex-wrap items-center gap-2 text-base">
        <ToneIcon tone="positive" />
        <code>{status}</code>
        <span className="font-normal">{description}</span>
        {types !== '' && <span className="text-xs font-normal text-muted">{types}</span>}
      </h3>
      {first !== undefined && <ShapeTree schema={first.schema} schemas={schemas} />}
      {first !== undefined && !isDocument && first.mediaType === 'application/json' && (
        <details>
          <summary className="w-fit py-0.5 text-sm text-accent">Example</summary>
          <CodeBlock
            label={`Example response ${status}`}
            text={JSON.stringify(createExample(first.schema, schemas), null, 2)}
          />
        </details>
      )}
      {headers.length > 0 && (
        <details>
          <summary className="w-fit py-0.5 text-sm text-accent">Headers</summary>
          <ul className="mt-1 grid gap-1 border-l border-line pl-3 text-sm">
            {headers.map(({ name, description: says }) => (
              <li key={name}>
                <code>{name}</code> <span className="text-muted">{says}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
