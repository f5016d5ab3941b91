import { Pencil } from 'lucide-react'
import type { DeclaredKind } from '../../../formats/record/kinds.ts'
import { may, useSession } from '../../api/session.ts'
import { CompareVersionsLink } from '../../documents/compare-versions-link.tsx'
import type { DocumentKind } from '../../documents/document-kind.ts'
import { HistoryList } from '../../documents/history-list.tsx'
import { MissingDocument } from '../../documents/missing-document.tsx'
import { SourceTab } from '../../documents/source-tab.tsx'
import { usePreparedSource } from '../../documents/source-view.tsx'
import { TeamLink } from '../../documents/team-link.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { CopyIcon } from '../../parts/copy.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty, Skeleton } from '../../parts/notice.tsx'
import { Page, Panel } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import type { PageComponent } from '../../shell/page-record.ts'
import { usePathId } from '../../shell/path-id.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { toDocumentKind } from './document-kind.ts'
import { Overview } from './overview.tsx'
import { useRecord, type LoadedRecord } from './record-query.ts'

const VIEWS = ['overview', 'history', 'source']
const VIEW = { view: 'overview' }

/** Creates the page of a record: its fields, its history, its source. */
export function createRecordPage(kind: DeclaredKind): PageComponent {
  const documentKind = toDocumentKind(kind)
  return function RecordPage() {
    const id = usePathId() ?? ''
    const record = useRecord(kind, id)
    usePreparedSource(useUrlState(VIEW)[0].view === 'source')
    return (
      <Loaded
        query={record}
        skeleton={
          <Page title={id} trail={[documentKind.list]}>
            <Skeleton lines={8} />
          </Page>
        }
        missing={<Missing kind={documentKind} id={id} />}
      >
        {(loaded) => <RecordView key={id} kind={kind} documentKind={documentKind} {...loaded} />}
      </Loaded>
    )
  }
}

function Missing({ kind, id }: { kind: DocumentKind; id: string }) {
  const all = <Link href={kind.list.href}>See all {kind.list.title.toLowerCase()}</Link>
  return (
    <MissingDocument kind={kind} id={id}>
      <Empty title="Not found" action={all}>
        No {kind.called} has the id <code className="user-text">{id}</code>. If it belongs to
        another organization, switch to it at the top left.
      </Empty>
    </MissingDocument>
  )
}

interface RecordViewProps extends LoadedRecord {
  kind: DeclaredKind
  documentKind: DocumentKind
}

function RecordView({ kind, documentKind, record, value, stored }: RecordViewProps) {
  const session = useSession()
  const [{ view }] = useUrlState(VIEW)
  const { id, name, ownerTeamId } = record
  const tab = (title: string, target: string) => ({
    title,
    href: documentKind.page(id) + (target === VIEW.view ? '' : `?view=${target}`),
    isCurrent: target === (VIEWS.includes(view) ? view : VIEW.view),
  })
  return (
    <Page
      title={name}
      trail={[documentKind.list]}
      facts={
        <>
          <span>
            Owned by <TeamLink id={ownerTeamId ?? ''} />
          </span>
          <span className="flex min-w-0 items-center">
            <code className="user-text">{id}</code>
            <CopyIcon text={id} label="Copy id" />
          </span>
        </>
      }
      actions={
        <ButtonLink
          href={documentKind.editPage(id)}
          icon={<Pencil size={14} aria-hidden />}
          reason={may(session, 'RESOURCES_EDIT', ownerTeamId ?? null).reason}
        >
          Edit
        </ButtonLink>
      }
    >
      <Tabs
        label={`Views of the ${kind.called}`}
        tabs={[tab('Overview', 'overview'), tab('History', 'history'), tab('Source', 'source')]}
      />
      {view === 'source' && (
        <SourceTab id={id} stored={stored} list={kind.collection} noun={kind.called} />
      )}
      {view === 'history' && (
        <Panel title="History" actions={<CompareVersionsLink kind={documentKind} id={id} />}>
          <HistoryList kind={documentKind} id={id} max={50} />
        </Panel>
      )}
      {view !== 'source' && view !== 'history' && (
        <Overview kind={kind} record={record} value={value} />
      )}
    </Page>
  )
}
