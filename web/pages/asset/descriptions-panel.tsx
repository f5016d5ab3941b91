import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { usePrincipalNames } from '../../api/session.ts'
import { Link } from '../../parts/link.tsx'
import { LongText } from '../../parts/long-text.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { readInfo } from './asset-document.ts'

type AssetPage = Schemas['AssetPage']

/** The descriptions of an asset by its source and by people, side by side, with the one in effect marked. */
export function DescriptionsPanel({ page, actions }: { page: AssetPage; actions: ReactNode }) {
  if (!page.isIngested) return <ClientsOwn page={page} />
  const { annotation, integration } = page
  const sources = readInfo(page.source ?? {}).description
  const peoples = annotation?.description ?? undefined
  return (
    <Panel title="Description" actions={actions}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Side
          title={`From the source${integration === null ? '' : ` (${integration.source})`}`}
          isShown={peoples === undefined && sources !== undefined}
          text={sources}
          none="No description. A comment at the source appears after the next run."
        />
        <Side
          title="From people"
          isShown={peoples !== undefined}
          text={peoples}
          none="No description yet."
        >
          {annotation !== null && <Written annotation={annotation} />}
        </Side>
      </div>
      <p className="mt-3 text-sm text-muted">
        {peoples === undefined
          ? 'The catalog shows the description of the source until people add one.'
          : 'The catalog shows the description by people. It takes precedence over the source, and no run changes it.'}
      </p>
    </Panel>
  )
}

interface SideProps {
  title: string
  isShown: boolean
  text: string | undefined
  /** The text of the empty state. */
  none: string
  children?: ReactNode
}

function Side({ title, isShown, text, none, children }: SideProps) {
  return (
    <section aria-label={title} className="min-w-0 rounded-md border border-line p-3">
      <h3 className="mb-1 flex flex-wrap items-center gap-2 text-sm text-muted">
        {title}
        {isShown && <Status tone="positive">In use</Status>}
      </h3>
      {text === undefined ? (
        <p className="text-muted">{none}</p>
      ) : (
        <p>
          <LongText text={text} />
        </p>
      )}
      {children}
    </section>
  )
}

function Written({ annotation }: { annotation: NonNullable<AssetPage['annotation']> }) {
  const { updatedAt, updatedBy } = annotation
  const getName = usePrincipalNames([updatedBy])
  return (
    <p className="mt-2 text-sm text-muted">
      Last changed <Time at={updatedAt} /> by{' '}
      <span className="user-text">{getName(updatedBy)}</span>
    </p>
  )
}

function ClientsOwn({ page: { asset } }: { page: AssetPage }) {
  const { description } = readInfo(asset)
  return (
    <Panel title="Description">
      <div className="grid gap-3">
        {description === undefined ? (
          <p className="text-muted">No description.</p>
        ) : (
          <p>
            <LongText text={description} />
          </p>
        )}
        <Notice tone="info" title="Managed through the API">
          No integration reads this asset. Change its document with{' '}
          <Link href={paths.reference({ op: 'putAsset' })}>
            <code>PUT /api/assets/…</code>
          </Link>
          .
        </Notice>
      </div>
    </Panel>
  )
}
