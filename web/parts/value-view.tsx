import type { ReactNode } from 'react'
import { hasVariable } from '../../formats/text/variables.ts'
import { OutsideLink } from './outside-link.tsx'
import { Tag } from './status.tsx'
import { VariableText } from './variable-text.tsx'

const DEPTH_MAX = 5
const ITEMS_SHOWN_MAX = 50

interface ValueViewProps {
  value: unknown
  /** The nesting depth. */
  depth?: number
}

/** Any value of a document for reading: texts, addresses as links, lists, names with their values. */
export function ValueView({ value, depth = 0 }: ValueViewProps): ReactNode {
  if (typeof value === 'string') return <TextView text={value} />
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value === null || value === undefined) return <span className="text-muted">empty</span>
  if (typeof value !== 'object') return JSON.stringify(value)
  const isWritten = 'toJSON' in value
  if (isWritten || depth >= DEPTH_MAX)
    return <code className="user-text">{JSON.stringify(value)}</code>
  return Array.isArray(value) ? (
    <ListView items={value} depth={depth} />
  ) : (
    <dl className="grid gap-1.5">
      {Object.entries(value).map(([name, one]) => (
        <div key={name} className="min-w-0">
          <dt className="user-text inline text-muted">{name}: </dt>
          <dd className={typeof one === 'object' && one !== null ? 'pl-3' : 'user-text inline'}>
            <ValueView value={one} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function TextView({ text }: { text: string }) {
  if (/^(https?|mailto):/i.test(text)) return <OutsideLink href={text}>{text}</OutsideLink>
  return (
    <span className="user-text whitespace-pre-line">
      <VariableText text={text} />
    </span>
  )
}

function ShortText({ text }: { text: string }) {
  return hasVariable(text) ? <TextView text={text} /> : <Tag>{text}</Tag>
}

function ListView({ items, depth }: { items: readonly unknown[]; depth: number }) {
  const shown = items.slice(0, ITEMS_SHOWN_MAX)
  const rest = items.length - shown.length
  const areTexts = shown.every((item) => typeof item !== 'object' || item === null)
  return (
    <>
      <ul className={areTexts ? 'flex flex-wrap gap-1' : 'grid gap-2'}>
        {shown.map((item, at) => (
          <li key={`${at}`} className={areTexts ? 'min-w-0' : 'border-l-2 border-line pl-3'}>
            {areTexts ? (
              <ShortText text={String(item)} />
            ) : (
              <ValueView value={item} depth={depth + 1} />
            )}
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="text-sm text-muted">and {rest} more in the source</p>}
    </>
  )
}
