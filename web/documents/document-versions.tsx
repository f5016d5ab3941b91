import { useQuery } from '@tanstack/react-query'
import { ArrowLeftRight, RotateCcw } from 'lucide-react'
import { Suspense, useMemo } from 'react'
import { readAcceptedJson } from '../../formats/text/json-read.ts'
import { api, type Schemas } from '../api/client.ts'
import { mayChange, usePrincipalNames, useSession } from '../api/session.ts'
import { Button, ButtonLink } from '../parts/button.tsx'
import { Link } from '../parts/link.tsx'
import { Loaded, QueryPanel } from '../parts/loaded.tsx'
import { Empty, Notice, Skeleton } from '../parts/notice.tsx'
import { Page, Panel } from '../parts/page.tsx'
import { ChangeLevel } from '../parts/status.tsx'
import { Table, type Column } from '../parts/table.tsx'
import { exactTime, Time } from '../parts/time.tsx'
import { mayCreate } from '../shell/record-permit.ts'
import { useUrlState } from '../shell/url-state.ts'
import { ChangeList } from './plan-view.tsx'
import type { DocumentKind } from './document-kind.ts'
import { useVersions } from './history-list.tsx'
import { SourceView } from './source-view.tsx'
import { storedQuery, versionQuery } from './stored-document.ts'
import { lazyPart } from '../parts/lazy-part.ts'
import { VersionSelect } from './version-select.tsx'

type Version = Schemas['Version']

const CompareTexts = lazyPart(() => import('./compare-texts.tsx'), 'CompareTexts')
// The page compares two versions from the start.
CompareTexts.prepare()

const SHOWN_MAX = 200
const CHOSEN = { from: '', to: '' }

/** The page of a document's versions, where any two are compared and old ones restored. */
export function DocumentVersions({ kind, id }: { kind: DocumentKind; id: string }) {
  const versions = useVersions(kind, id)
  const name = useName(kind, id)
  return (
    <Page title="Versions" trail={[kind.list, { title: name ?? id, href: kind.page(id) }]}>
      <Loaded
        query={versions}
        empty={<Empty title="No versions">No {kind.called} has ever had this id.</Empty>}
      >
        {(all) => <Compared kind={kind} id={id} versions={all} />}
      </Loaded>
    </Page>
  )
}

// The document's current name; undefined until it is loaded, and if the document was deleted.
function useName(kind: DocumentKind, id: string): string | undefined {
  const stored = useQuery(storedQuery(kind, id))
  return useMemo(() => {
    if (stored.data === undefined) return undefined
    const read = readAcceptedJson(stored.data.json)
    return read.ok ? kind.getName(read.value) : undefined
  }, [kind, stored.data])
}

interface ComparedProps {
  kind: DocumentKind
  id: string
  versions: readonly Version[]
}

function Compared({ kind, id, versions }: ComparedProps) {
  const [chosen, setChosen] = useUrlState(CHOSEN)
  const newest = versions[0]?.version ?? 1
  const to = getNumber(chosen.to, versions) ?? newest
  const from = getNumber(chosen.from, versions) ?? Math.max(to - 1, 1)
  return (
    <div className="grid gap-5">
      <Deleted kind={kind} id={id} versions={versions} />
      {from === to ? (
        <OneVersion kind={kind} id={id} version={to} />
      ) : (
        <TwoVersions kind={kind} id={id} from={from} to={to} />
      )}
      <Panel
        title="All versions"
        marks={versions.length}
        actions={
          versions.length > 1 && (
            <div className="flex flex-wrap items-end gap-2">
              <VersionSelect
                label="From"
                versions={versions}
                value={from}
                onChoose={(one) => setChosen({ from: one, to: String(to) })}
              />
              <Button
                icon={ArrowLeftRight}
                onClick={() => setChosen({ from: String(to), to: String(from) })}
              >
                Swap
              </Button>
              <VersionSelect
                label="To"
                versions={versions}
                value={to}
                onChoose={(one) => setChosen({ from: String(from), to: one })}
              />
            </div>
          )
        }
        flush
      >
        <VersionTable kind={kind} id={id} versions={versions} />
      </Panel>
    </div>
  )
}

/** Explains that the document was deleted, and offers to restore it. */
function Deleted({ kind, id, versions }: ComparedProps) {
  const session = useSession()
  const deletedAt = versions[0]?.validTo ?? null
  if (deletedAt === null) return null
  return (
    <Notice
      tone="caution"
      title={`This ${kind.called} was deleted ${exactTime(deletedAt)}`}
      actions={
        <ButtonLink
          href={kind.editPage(id, { version: versions[0]?.version ?? 1 })}
          icon={RotateCcw}
          reason={mayCreate(session, kind).reason}
        >
          Restore {kind.called}
        </ButtonLink>
      }
    />
  )
}

function getNumber(text: string, versions: readonly Version[]): number | undefined {
  return versions.find(({ version }) => String(version) === text)?.version
}

function VersionTable({ kind, id, versions }: ComparedProps) {
  const shown = versions.slice(0, SHOWN_MAX)
  const mayRestore = useMayRestore(kind, id)
  const getName = usePrincipalNames(shown.map(({ principal }) => principal))
  return (
    <Table
      label="Versions"
      rows={shown}
      getKey={({ version }) => String(version)}
      columns={[
        ...getColumns((version) => kind.versionsPage(id, getPair(version)), getName),
        ...(mayRestore ? [restoreColumn(kind, id, shown)] : []),
      ]}
    />
  )
}

function getColumns(
  getHref: (version: number) => string,
  getName: (principal: string) => string,
): Column<Version>[] {
  return [
    {
      title: 'Version',
      className: 'whitespace-nowrap',
      cell: ({ version }) => <Link href={getHref(version)}>Version {version}</Link>,
    },
    { title: 'When', cell: ({ validFrom }) => <Time at={validFrom} /> },
    {
      title: 'By',
      className: 'min-w-44',
      cell: ({ principal }) => <span className="user-text">{getName(principal)}</span>,
    },
    {
      title: 'Change',
      className: 'min-w-32',
      cell: ({ version, level }) => (version === 1 ? 'Created' : <ChangeLevel level={level} />),
    },
  ]
}

// A version of a deleted document is restored as a new one.
function useMayRestore(kind: DocumentKind, id: string): boolean {
  const session = useSession()
  const { data: stored } = useQuery(storedQuery(kind, id))
  const permit =
    stored === undefined
      ? mayCreate(session, kind)
      : mayChange(session, kind.permissions, 'EDIT', stored.owner ?? null)
  return permit.allowed
}

// The current version of a document that exists needs no restoring.
function restoreColumn(
  kind: DocumentKind,
  id: string,
  versions: readonly Version[],
): Column<Version> {
  const current = versions.find(({ validTo }) => validTo === null)?.version
  return {
    title: 'Restore',
    cell: ({ version }) =>
      version === current ? (
        <span className="text-muted">Current</span>
      ) : (
        <Link href={kind.editPage(id, { version })}>
          Restore<span className="sr-only"> version {version}</span>
        </Link>
      ),
  }
}

function getPair(version: number): Record<string, string> {
  return { from: String(Math.max(version - 1, 1)), to: String(version) }
}

function OneVersion({ kind, id, version }: { kind: DocumentKind; id: string; version: number }) {
  const stored = useQuery(versionQuery(kind, id, version))
  return (
    <QueryPanel title={`Version ${version}`} query={stored}>
      {({ text, mediaType }) => (
        <SourceView text={text} mediaType={mediaType} fileName={`${id}-${version}`} />
      )}
    </QueryPanel>
  )
}

interface TwoVersionsProps {
  kind: DocumentKind
  id: string
  from: number
  to: number
}

function TwoVersions({ kind, id, from, to }: TwoVersionsProps) {
  const diff = api.useQuery('get', `${kind.api}/{id}/diff`, {
    params: { path: { id }, query: { from, to } },
  })
  const before = useQuery(versionQuery(kind, id, from))
  const after = useQuery(versionQuery(kind, id, to))
  return (
    <>
      <QueryPanel
        title={`Version ${from} to ${to}`}
        marks={diff.data === undefined ? undefined : <ChangeLevel level={diff.data.level} />}
        query={diff}
        empty={<p className="text-muted">No changes in meaning between these versions.</p>}
        isEmpty={({ changes }) => changes.length === 0}
      >
        {({ changes }) => <ChangeList changes={changes} />}
      </QueryPanel>
      <QueryPanel title="Source side by side" query={before}>
        {(old) => (
          <Loaded query={after}>
            {(young) => (
              <Suspense fallback={<Skeleton lines={10} />}>
                <CompareTexts
                  key={`${from} ${to}`}
                  before={{ ...old, label: `Version ${from}` }}
                  after={{ ...young, label: `Version ${to}` }}
                />
              </Suspense>
            )}
          </Loaded>
        )}
      </QueryPanel>
    </>
  )
}
