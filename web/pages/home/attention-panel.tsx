import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { Panel } from '../../parts/page.tsx'
import { ToneIcon, type Tone } from '../../parts/status.tsx'
import { Count } from '../../parts/tabs.tsx'
import { pathOfAttention, verbOfAttention } from './attention-target.ts'

type Attention = Schemas['Attention']

const TONES: Record<Attention['severity'], Tone> = {
  serious: 'critical',
  warning: 'caution',
  note: 'info',
}

const LABELS: Record<Attention['severity'], string> = {
  serious: 'Serious:',
  warning: 'Warning:',
  note: 'Note:',
}

const SHOWN_MAX = 6

/** The items that need attention, the most serious first, each with a link to its fix. */
export function AttentionPanel({ attention }: { attention: readonly Attention[] }) {
  const [areAllShown, showAll] = useState(false)
  const visible = areAllShown ? attention : attention.slice(0, SHOWN_MAX)
  const hidden = attention.length - visible.length
  return (
    <Panel
      flush
      title="Needs attention"
      marks={attention.length > 0 && <Count>{attention.length}</Count>}
    >
      {attention.length === 0 ? (
        <p className="flex items-center gap-2 px-4 py-4 text-muted">
          <ToneIcon tone="positive" size={16} />
          You're all caught up.
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {visible.map((one) => (
            <AttentionItem
              key={`${one.kind} ${one.target.integrationExternalId} ${one.target.id}`}
              attention={one}
            />
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <div className="border-t border-line px-2 py-1">
          <Button look="quiet" onClick={() => showAll(true)}>
            Show {hidden} more
          </Button>
        </div>
      )}
    </Panel>
  )
}

function AttentionItem({ attention }: { attention: Attention }) {
  const { severity, title, detail } = attention
  return (
    <li className="flex gap-2.5 px-4 py-3">
      <span className="mt-0.5">
        <ToneIcon tone={TONES[severity]} size={16} />
      </span>
      <div className="grid min-w-0 gap-0.5">
        <p className="user-text line-clamp-3 font-medium">
          <span className="sr-only">{LABELS[severity]} </span>
          {title}
        </p>
        <p className="user-text line-clamp-3 text-sm text-muted">{detail}</p>
        <Link href={pathOfAttention(attention)} className="w-fit text-sm">
          {verbOfAttention(attention)}
        </Link>
      </div>
    </li>
  )
}
