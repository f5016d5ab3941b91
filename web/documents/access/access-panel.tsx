import { useState } from 'react'
import { Panel } from '../../parts/page.tsx'
import { AgreementList } from './agreement-list.tsx'
import { countedText, VIEWS, type AgreementView } from './access-words.ts'
import { PagedAgreements, useAgreements } from './paged-agreements.tsx'

interface AccessPanelProps {
  title: string
  /** The agreements of a data product, or of a consuming team. */
  of: { list: 'product'; product: string } | { list: 'consumer'; team: string }
  /** The text of an empty list. */
  emptyText: string
}

const TITLES = new Map(VIEWS)

/** The active agreements of a data product or of a team; the other views are chosen by buttons. */
export function AccessPanel({ title, of, emptyText }: AccessPanelProps) {
  const [view, setView] = useState<AgreementView>('active')
  const query = useAgreements({ ...of, view })
  const counts = query.data?.counts ?? null
  return (
    <Panel
      flush
      title={title}
      actions={
        <label className="flex items-center gap-2 text-sm text-muted">
          State
          <select
            className="h-8 rounded-md border border-line-strong bg-surface px-2 text-base text-ink"
            value={view}
            onChange={({ target }) =>
              setView(VIEWS.find(([one]) => one === target.value)?.[0] ?? 'active')
            }
          >
            {VIEWS.map(([one, label]) => (
              <option key={one} value={one}>
                {label}
                {counts !== null && ` (${countedText(counts[one])})`}
              </option>
            ))}
          </select>
        </label>
      }
    >
      <PagedAgreements
        query={query}
        empty={{ title: `${TITLES.get(view) ?? 'Active'}: none`, text: emptyText }}
      >
        {(agreements) => <AgreementList label={title} agreements={agreements} />}
      </PagedAgreements>
    </Panel>
  )
}
