import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { ChangeLevel } from '../../parts/status.tsx'
import { exactTime, numberText } from '../../parts/time.tsx'
import { pathOfResource, paths } from '../../paths.ts'
import { daysOf } from './change-days.ts'

type Change = Schemas['HomeChange']

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const SHOWN_MAX = 12

/** What changed in the last days, day by day: documents one by one, assets as the runs that brought them. */
export function ChangesPanel({ changes }: { changes: readonly Change[] }) {
  // The day is asked once: a page that stays open over midnight is loaded anew with its answer.
  const [now] = useState(() => new Date())
  const [areAllShown, showAll] = useState(false)
  const shown = areAllShown ? changes : changes.slice(0, SHOWN_MAX)
  const days = daysOf(shown, now)
  return (
    <Panel flush title="This week">
      {days.length === 0 && (
        <Empty title="Nothing changed in the last 7 days">
          Every change of a product, contract or team stands here, with who made it and how big it
          is for its consumers.
        </Empty>
      )}
      {days.map(({ title, changes: ofDay }) => (
        <section key={title} aria-label={title} className="border-b border-line py-2 last:border-0">
          <h3 className="px-4 py-1 text-sm text-muted">{title}</h3>
          <ol>
            {ofDay.map((change) => (
              <Line
                key={`${change.kind} ${change.id} ${change.version} ${change.at}`}
                change={change}
              />
            ))}
          </ol>
        </section>
      ))}
      {shown.length < changes.length && (
        <div className="border-t border-line px-4 py-1">
          <Button look="quiet" className="-ml-3" onClick={() => showAll(true)}>
            Show {changes.length - shown.length} more
          </Button>
        </div>
      )}
    </Panel>
  )
}

function Line({ change }: { change: Change }) {
  const { at, principal, principalName, level, action, counts } = change
  return (
    <li className="grid grid-cols-[3rem_minmax(0,1fr)] gap-x-2 px-4 py-1">
      <time dateTime={at} title={exactTime(at)} className="text-sm leading-5.5 text-faint">
        {CLOCK.format(new Date(at))}
      </time>
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-0.5">
        <Subject change={change} />
        {counts === null ? (
          <span className="text-muted">{wordOf(change)}</span>
        ) : (
          <Counts counts={counts} />
        )}
        {action === 'updated' && level !== null && level !== 'none' && (
          <ChangeLevel level={level} />
        )}
        <span className="user-text line-clamp-1 text-sm text-muted">
          by {principalName ?? principal}
        </span>
      </div>
    </li>
  )
}

function Subject({
  change: { kind, id, name, action, integrationExternalId },
}: {
  change: Change
}) {
  const look = 'user-text line-clamp-2 min-w-0 font-medium'
  if (kind === 'ingestion-run') {
    if (integrationExternalId === null) return <span className={look}>{name}</span>
    return (
      <Link href={paths.run(integrationExternalId, id)} className={look}>
        {name}
      </Link>
    )
  }
  // There is no page of what is gone.
  if (action === 'deleted') return <span className={look}>{name}</span>
  return (
    <Link href={pathOfResource(RESOURCE_TYPES[kind], id)} className={look}>
      {name}
    </Link>
  )
}

const RESOURCE_TYPES = {
  'data-product': 'DATA_PRODUCT',
  'data-contract': 'DATA_CONTRACT',
  team: 'TEAM',
} as const

function wordOf({ kind, action, version }: Change): string {
  const noun = kind === 'team' ? 'team' : kind === 'data-product' ? 'product' : 'contract'
  if (action !== 'updated') return `${noun} ${action}`
  return version === null ? `${noun} updated` : `${noun} updated to version ${version}`
}

function Counts({ counts }: { counts: NonNullable<Change['counts']> }) {
  const { created, updated, deleted } = counts
  const said = `${numberText(created)} created, ${numberText(updated)} updated, ${numberText(deleted)} deleted`
  return (
    <span className="text-muted">
      assets <span className="sr-only">{said}</span>
      <span aria-hidden title={said} className="inline-flex gap-2 font-mono text-sm">
        <span className="text-positive">+{numberText(created)}</span>
        <span className="text-caution">~{numberText(updated)}</span>
        <span className="text-critical">−{numberText(deleted)}</span>
      </span>
    </span>
  )
}
