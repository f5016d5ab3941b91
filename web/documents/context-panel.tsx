import { listContextParts } from '../parts/context-view.tsx'
import { Panel, StackedFacts } from '../parts/page.tsx'
import type { SchemaContext } from '../parts/schema-tree-rows.ts'

/** The questions, constraints and instructions of a document; nothing if it has none. */
export function ContextPanel({ context }: { context: SchemaContext | undefined }) {
  const parts = listContextParts(context)
  if (parts.length === 0) return null
  return (
    <Panel title="Guidance">
      <StackedFacts facts={parts} />
    </Panel>
  )
}
