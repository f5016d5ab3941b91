import type { ReactNode } from 'react'
import { LongText } from './long-text.tsx'
import type { SchemaContext } from './schema-tree-rows.ts'

/** The parts of a context that have content, with their titles. Nothing in their texts is a variable. */
export function listContextParts(
  context: SchemaContext | undefined,
): (readonly [string, ReactNode])[] {
  if (context === undefined) return []
  const { statements, constraints, instructions } = context
  return [
    ...(statements.length === 0
      ? []
      : [['Questions', <Questions key="questions" statements={statements} />] as const]),
    ...(constraints.length === 0
      ? []
      : [['Do not', <Constraints key="constraints" constraints={constraints} />] as const]),
    ...(instructions === undefined
      ? []
      : [['Instructions', <LongText key="instructions" text={instructions} />] as const]),
  ]
}

function Questions({ statements }: Pick<SchemaContext, 'statements'>) {
  return (
    <dl className="grid max-w-prose gap-3">
      {statements.map(({ question, answer }, at) => (
        <div key={`${at} ${question}`} className="min-w-0">
          <dt className="user-text font-medium">{question}</dt>
          <dd className="user-text whitespace-pre-line">
            {answer ?? <span className="text-muted">No verified answer yet.</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Constraints({ constraints }: Pick<SchemaContext, 'constraints'>) {
  return (
    <ul className="grid max-w-prose list-disc gap-1 pl-5">
      {constraints.map((constraint, at) => (
        <li key={`${at} ${constraint}`} className="user-text whitespace-pre-line">
          {constraint}
        </li>
      ))}
    </ul>
  )
}
