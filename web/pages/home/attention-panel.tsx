import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { Panel } from '../../parts/page.tsx'
import { ToneIcon, type Tone } from '../../parts/status.tsx'
import { Count } from '../../parts/tabs.tsx'
import { getAttentionAction, getAttentionPath } from './attention-target.ts'

type Attention = Schemas['Attention']

const SEVERITIES: Record<Attention['severity'], { tone: Tone; label: string }> = {
  serious: { tone: 'critical', label: 'Serious' },
  warning: { tone: 'caution', label: 'Warning' },
  note: { tone: 'info', label: 'Note' },
}

const SHOWN_MAX = 6

/** The items that need attention, the most serious first, each with a link to its fix. */
export function AttentionPanel({ attention: items }: { attention: readonly Attention[] }) {
  const [isExpanded, setExpanded] = useState(false)
  const visible = isExpanded ? items : items.slice(0, SHOWN_MAX)
  const hiddenCount = items.length - visible.length
  return (
    <Panel flush title="Needs attention" marks={items.length > 0 && <Count>{items.length}</Count>}>
      {items.length === 0 && (
        <p className="flex items-center gap-2 px-4 py-4 text-muted">
          <ToneIcon tone="positive" size={16} />
          You're all caught up.
        </p>
      )}
      <ul className="divide-y divide-line empty:hidden">
        {visible.map((item) => (
          <AttentionItem
            key={`${item.kind} ${item.target.integrationExternalId} ${item.target.id}`}
            item={item}
          />
        ))}
      </ul>
      {hiddenCount > 0 && (
        <div className="border-t border-line px-2 py-1">
          <Button look="quiet" onClick={() => setExpanded(true)}>
            Show {hiddenCount} more
          </Button>
        </div>
      )}
    </Panel>
  )
}

function AttentionItem({ item }: { item: Attention }) {
  const { tone, label } = SEVERITIES[item.severity]
  return (
    <li className="flex gap-2.5 px-4 py-3">
      <span className="mt-0.5">
        <ToneIcon tone={tone} size={16} />
      </span>
      <div className="grid min-w-0 gap-0.5">
        <p className="user-text line-clamp-3 font-medium">
          <span className="sr-only">{label}: </span>
          {item.title}
        </p>
        <p className="user-text line-clamp-3 text-sm text-muted">{item.detail}</p>
        <Link href={getAttentionPath(item)} className="w-fit text-sm">
          {getAttentionAction(item)}
        </Link>
      </div>
    </li>
  )
}
