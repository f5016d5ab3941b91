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

const WORDS: Record<Attention['severity'], string> = {
  serious: 'Serious:',
  warning: 'Warning:',
  note: 'Note:',
}

const SHOWN_MAX = 6

/** What waits for the person, the most serious first, each with the one link that mends it. */
export function AttentionPanel({ attention }: { attention: readonly Attention[] }) {
  const [areAllShown, showAll] = useState(false)
  const shown = areAllShown ? attention : attention.slice(0, SHOWN_MAX)
  const hidden = attention.length - shown.length
  return (
    <Panel
      flush
      title="What needs me"
      marks={attention.length > 0 && <Count>{attention.length}</Count>}
    >
      {attention.length === 0 ? (
        <p className="flex items-center gap-2 px-4 py-4 text-muted">
          <ToneIcon tone="positive" size={16} />
          Nothing waits for you.
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {shown.map((one) => (
            <Waiting
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

function Waiting({ attention }: { attention: Attention }) {
  const { severity, title, detail } = attention
  return (
    <li className="flex gap-2.5 px-4 py-3">
      <span className="mt-0.5">
        <ToneIcon tone={TONES[severity]} size={16} />
      </span>
      <div className="grid min-w-0 gap-0.5">
        <p className="user-text line-clamp-3 font-medium">
          <span className="sr-only">{WORDS[severity]} </span>
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
