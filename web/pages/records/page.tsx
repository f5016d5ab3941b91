import type { DeclaredKind } from '../../../formats/record/kinds.ts'
import { toRecordFields, type RecordFields } from '../../../formats/record/read.ts'
import type { DocumentKind } from '../../documents/document-kind.ts'
import {
  DocumentPage,
  findView,
  HistoryPanel,
  LoadedDocument,
  useShownDocument,
  type ReadFacts,
  type ShownDocument,
} from '../../documents/document-page.tsx'
import { SourceTab } from '../../documents/source-tab.tsx'
import { usePreparedSource } from '../../documents/source-view.tsx'
import { TeamLink } from '../../documents/team-link.tsx'
import type { PageComponent } from '../../shell/page-record.ts'
import { usePathId, useUrlState } from '../../shell/url-state.ts'
import { toDocumentKind } from './document-kind.ts'
import { Overview } from './overview.tsx'
import { RenameTag } from './rename-tag.tsx'

const VIEWS = [
  { key: 'overview', title: 'Overview' },
  { key: 'history', title: 'History' },
  { key: 'source', title: 'Source' },
] as const
const URL_STATE = { view: 'overview' }

/** Creates the page of a record: its fields, its history, its source. */
export function createRecordPage(kind: DeclaredKind): PageComponent {
  const documentKind = toDocumentKind(kind)
  const readFacts: ReadFacts<RecordFields> = (value, { id }) => toRecordFields(kind, value, id)
  return function RecordPage() {
    const id = usePathId() ?? ''
    const record = useShownDocument(documentKind, id, readFacts)
    usePreparedSource(useUrlState(URL_STATE)[0].view === 'source')
    return (
      <LoadedDocument kind={documentKind} id={id} query={record}>
        {(shown) => (
          <LoadedRecord key={id} kind={kind} documentKind={documentKind} id={id} shown={shown} />
        )}
      </LoadedDocument>
    )
  }
}

interface RecordProps {
  kind: DeclaredKind
  documentKind: DocumentKind
  id: string
  shown: ShownDocument<RecordFields>
}

function LoadedRecord(props: RecordProps) {
  const { kind, documentKind, id, shown } = props
  const [{ view }] = useUrlState(URL_STATE)
  return (
    <DocumentPage
      kind={documentKind}
      id={id}
      facts={shown.facts}
      summary={
        shown.facts.ownerTeamId !== undefined && (
          <span>
            Owned by <TeamLink id={shown.facts.ownerTeamId} />
          </span>
        )
      }
      actions={
        kind.kind === 'tag' && (
          <RenameTag id={id} owner={shown.facts.ownerTeamId} toPage={documentKind.page} />
        )
      }
      views={VIEWS}
      view={view}
      notices={null}
    >
      <View view={view} {...props} />
    </DocumentPage>
  )
}

function View({ view, kind, documentKind, id, shown }: RecordProps & { view: string }) {
  switch (findView(VIEWS, view)) {
    case 'overview':
      return <Overview kind={kind} record={shown.facts} value={shown.value} />
    case 'history':
      return <HistoryPanel kind={documentKind} id={id} max={50} />
    case 'source':
      return <SourceTab kind={documentKind} id={id} stored={shown.stored} />
  }
}
