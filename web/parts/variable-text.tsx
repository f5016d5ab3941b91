import { Braces } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { findVariables } from '../../formats/text/variables.ts'
import { describeVariable, type Variable } from './describe-variable.ts'
import { Tag } from './status.tsx'

/** A text of a document with its variables as chips: `${DB_PORT:-5432}` → "Variable DB_PORT, default 5432". */
export function VariableText({ text }: { text: string }): ReactNode {
  const variables = findVariables(text)
  // As a child, a text gets its control characters made visible.
  if (variables.length === 0) return <>{text}</>
  const last = variables.at(-1)
  return (
    <>
      {variables.map((variable, at) => {
        const before = variables[at - 1]
        return (
          <Fragment key={variable.at}>
            {text.slice(before === undefined ? 0 : findEnd(before), variable.at)}
            <span className="inline-flex max-w-full align-middle" title={variable.text}>
              <Tag>
                <Braces size={11} aria-hidden className="mr-1 shrink-0" />
                {describeVariable(variable)}
              </Tag>
            </span>
          </Fragment>
        )
      })}
      {last !== undefined && text.slice(findEnd(last))}
    </>
  )
}

function findEnd({ at, text }: Variable): number {
  return at + text.length
}
