import { useState } from 'react'
import type { ObjectValue, Value } from '../../../formats/text/value.ts'
import { readSchemaShape, type Shape, type NamedShape } from './shape.ts'

interface ShapeTreeProps {
  schema: Value
  schemas: ObjectValue
}

/** A schema as a tree, of which one level is shown; the next ones open on request. */
export function ShapeTree({ schema, schemas }: ShapeTreeProps) {
  const shape = readSchemaShape(schema, schemas)
  return (
    <div className="grid gap-2">
      <p>
        <span className="font-mono text-sm">{shape.type}</span>
        <Facts shape={shape} />
      </p>
      <Level shape={shape} schemas={schemas} />
    </div>
  )
}

function Level({ shape, schemas }: { shape: Shape; schemas: ObjectValue }) {
  if (shape.variants.length > 0) {
    return (
      <ul className="grid gap-1.5 border-l border-line pl-3">
        {shape.variants.map(({ title, schema }, at) => (
          <li key={`${title} ${at}`}>
            <Opened title={`Either: ${title}`}>
              <Level shape={readSchemaShape(schema, schemas)} schemas={schemas} />
            </Opened>
          </li>
        ))}
      </ul>
    )
  }
  if (shape.fields.length === 0) return null
  return (
    <ul className="grid gap-1.5 border-l border-line pl-3">
      {shape.fields.map((field) => (
        <FieldRow key={field.name} field={field} schemas={schemas} />
      ))}
    </ul>
  )
}

function FieldRow({ field, schemas }: { field: NamedShape; schemas: ObjectValue }) {
  const shape = readSchemaShape(field.schema, schemas)
  const hasMore = shape.fields.length > 0 || shape.variants.length > 0
  return (
    <li>
      <div className="flex flex-wrap items-baseline gap-x-2">
        <code className="font-semibold">{field.name}</code>
        <span className="font-mono text-xs text-muted">{shape.type}</span>
        {field.isRequired && <span className="text-xs text-caution">required</span>}
      </div>
      <div className="text-sm text-muted">
        {shape.description}
        <Facts shape={shape} />
      </div>
      {hasMore && (
        <Opened title={`Fields of ${field.name}`}>
          <Level shape={shape} schemas={schemas} />
        </Opened>
      )}
    </li>
  )
}

function Facts({ shape }: { shape: Shape }) {
  if (shape.facts.length === 0) return null
  return <span className="text-sm wrap-anywhere text-muted"> ({shape.facts.join('; ')})</span>
}

// What is inside is made only once it is asked for: a shape may hold itself.
function Opened({ title, children }: { title: string; children: React.ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="mt-1" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit py-0.5 text-sm text-accent">{title}</summary>
      {isOpen && <div className="mt-1">{children}</div>}
    </details>
  )
}
