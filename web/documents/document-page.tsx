import { useQuery } from '@tanstack/react-query'
import { Pencil, GitCompare } from 'lucide-react'
import { Suspense, useMemo, type ReactNode } from 'react'
import { getEffectiveStatus } from '../../formats/data-product/standing.ts'
import { readAcceptedJson } from '../../formats/text/json-read.ts'
import type { Value } from '../../formats/text/value.ts'
import { mayChange, useSession } from '../api/session.ts'
import { ButtonLink } from '../parts/button.tsx'
import { CopyIcon } from '../parts/copy.tsx'
import { lazyPart } from '../parts/lazy-part.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Skeleton } from '../parts/notice.tsx'
import { Page, Panel } from '../parts/page.tsx'
import { DocumentStatus, Tag } from '../parts/status.tsx'
import { Tabs } from '../parts/tabs.tsx'
import type { DocumentKind } from './document-kind.ts'
import { HistoryList, useVersions } from './history-list.tsx'
import { storedQuery, type StoredText } from './stored-document.ts'

const MissingDocument = lazyPart(() => import('./missing-document.tsx'), 'MissingDocument')

/** The facts that the pages of all kinds of documents show. */
interface DocumentFacts {
  name: string
  status?: string | undefined
  /** Whether a flag of the document announces its end. */
  deprecated?: true | undefined
  /** Absent for kinds of documents with one format. */
  format?: string | undefined
  formatVersion?: string | undefined
  ownerTeamId?: string | undefined
}

/** A document as its page shows it. */
export interface ShownDocument<Facts> {
  stored: StoredText
  facts: Facts
  /** The whole document, its numbers spelled as they were sent. */
  value: Value
  /** The last day on which its format is accepted, `YYYY-MM-DD`; undefined = the format stays. */
  endsOn: string | undefined
}

/** Reads the facts of a document; undefined = it cannot be read. */
export type ReadFacts<Facts> = (
  value: Value,
  options: { id: string; owner: string | undefined },
) => Facts | undefined

const UNREADABLE = 'The document could not be read. The API still returns its source.'

/** Loads a document for its page. Keep `readFacts` outside of the component. Errors: Problem. */
export function useShownDocument<Facts>(
  kind: DocumentKind,
  id: string,
  readFacts: ReadFacts<Facts>,
): { data: ShownDocument<Facts> | undefined; error: unknown; refetch: () => unknown } {
  const { data: stored, error, refetch } = useQuery(storedQuery(kind, id))
  const shown = useMemo(
    () => (stored === undefined ? undefined : toShown(stored, id, readFacts)),
    [stored, id, readFacts],
  )
  return shown instanceof Error
    ? { data: undefined, error: shown, refetch }
    : { data: shown, error, refetch }
}

function toShown<Facts>(
  stored: StoredText,
  id: string,
  readFacts: ReadFacts<Facts>,
): ShownDocument<Facts> | Error {
  const read = readAcceptedJson(stored.json)
  const facts = read.ok ? readFacts(read.value, { id, owner: stored.owner }) : undefined
  if (!read.ok || facts === undefined) return new Error(UNREADABLE)
  const ends = Date.parse(stored.sunset ?? '')
  const endsOn = Number.isNaN(ends) ? undefined : new Date(ends).toISOString().slice(0, 10)
  return { stored, facts, value: read.spelled(), endsOn }
}

interface LoadedDocumentProps<Facts> {
  kind: DocumentKind
  id: string
  query: ReturnType<typeof useShownDocument<Facts>>
  /** The next step if there never was a document with this id, and what else helps to find it. */
  missing?: { action: ReactNode; text: string }
  children: (shown: ShownDocument<Facts>) => ReactNode
}

/** The page of a document once it is loaded, or the page of one that does not exist. */
export function LoadedDocument<Facts>(props: LoadedDocumentProps<Facts>) {
  const { kind, id, query, missing, children } = props
  const skeleton = (
    <Page title={id} trail={[kind.list]}>
      <Skeleton lines={8} />
    </Page>
  )
  return (
    <Loaded
      query={query}
      skeleton={skeleton}
      missing={
        <Suspense fallback={skeleton}>
          <MissingDocument kind={kind} id={id} action={missing?.action}>
            {missing?.text}
          </MissingDocument>
        </Suspense>
      }
    >
      {children}
    </Loaded>
  )
}

interface DocumentPageProps {
  kind: DocumentKind
  id: string
  facts: DocumentFacts
  /** Before the id, below the title. */
  summary: ReactNode
  /** Below the title and the summary: whether the data can be trusted. */
  signals?: ReactNode
  /** Before the button that edits the document. */
  actions?: ReactNode
  views: readonly { key: string; title: string; count?: number | undefined }[]
  /** The key of the current view; an unknown one means the first. */
  view: string
  /** Above the views. */
  notices: ReactNode
  children: ReactNode
}

/** The frame of a document's page: its status, format and id, its actions, and its views. */
export function DocumentPage(props: DocumentPageProps) {
  const { kind, id, facts, summary, signals, actions, views, view, notices, children } = props
  const status = getEffectiveStatus(facts)
  // The signals have the same word, and since when.
  const isInSignals = signals !== undefined && status?.toLowerCase() === 'deprecated'
  const session = useSession()
  const current = findView(views, view)
  return (
    <Page
      title={facts.name}
      trail={[kind.list]}
      marks={
        <>
          {(facts.format ?? facts.status) !== undefined && !isInSignals && (
            <DocumentStatus status={status} />
          )}
          {facts.format !== undefined && (
            <Tag>{[facts.format.toUpperCase(), facts.formatVersion].filter(Boolean).join(' ')}</Tag>
          )}
        </>
      }
      facts={
        <>
          {summary}
          <span className="flex min-w-0 items-center">
            <code className="user-text">{id}</code>
            <CopyIcon text={id} label="Copy id" />
          </span>
        </>
      }
      signals={signals}
      actions={
        <>
          {actions}
          <ButtonLink
            href={kind.editPage(id)}
            icon={Pencil}
            reason={mayChange(session, kind.permissions, 'EDIT', facts.ownerTeamId ?? null).reason}
          >
            Edit
          </ButtonLink>
        </>
      }
    >
      {notices}
      <Tabs
        label={`Views of the ${kind.called}`}
        tabs={views.map(({ key, title, count }, at) => ({
          title,
          count,
          href: kind.page(id, at === 0 ? {} : { view: key }),
          isCurrent: key === current,
        }))}
      />
      {children}
    </Page>
  )
}

/** Returns the key of the view that the address names, or of the first one. */
export function findView<Key extends string>(views: readonly { key: Key }[], view: string): Key {
  const [first] = views
  if (first === undefined) throw new Error('a page has at least one view')
  return (views.find(({ key }) => key === view) ?? first).key
}

/** The last changes of a document, with a link to compare its versions. */
export function HistoryPanel({ kind, id, max }: { kind: DocumentKind; id: string; max: number }) {
  return (
    <Panel title="History" actions={<CompareVersionsLink kind={kind} id={id} />}>
      <HistoryList kind={kind} id={id} max={max} />
    </Panel>
  )
}

/** The link to the page on which versions of a document are compared. */
export function CompareVersionsLink({ kind, id }: { kind: DocumentKind; id: string }) {
  const { data } = useVersions(kind, id)
  const reason = data !== undefined && data.length < 2 ? 'Only one version exists.' : undefined
  return (
    <ButtonLink href={kind.versionsPage(id)} icon={GitCompare} reason={reason}>
      Compare versions
    </ButtonLink>
  )
}
