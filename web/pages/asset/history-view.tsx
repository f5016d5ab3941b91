import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, type Schemas } from '../../api/client.ts'
import { usePrincipalNames } from '../../api/session.ts'
import { readStoredText } from '../../documents/stored-document.ts'
import { SourceView } from '../../documents/source-view.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { ChangeLevel } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { formatDocument } from './asset-document.ts'

interface HistoryViewProps {
  id: string
  isIngested: boolean
  /** The version whose document is open; empty = none. */
  version: string
  onVersion: (version: string) => void
}

/** The versions of an asset with their authors and documents. */
export function HistoryView({ id, isIngested, version, onVersion }: HistoryViewProps) {
  const versions = api.useQuery('get', '/api/assets/{id}/versions', { params: { path: { id } } })
  const getName = usePrincipalNames(versions.data?.map(({ principal }) => principal) ?? [])
  return (
    <Panel flush title="History">
      <Loaded
        query={versions}
        empty={<Empty title="No versions">Every change of the asset creates a version.</Empty>}
      >
        {(rows) => (
          <Table
            label="Versions"
            rows={rows}
            getKey={(row) => String(row.version)}
            columns={getColumns(getName, onVersion)}
          />
        )}
      </Loaded>
      <Dialog wide open={version !== ''} onClose={() => onVersion('')} title={`Version ${version}`}>
        <VersionSource id={id} isIngested={isIngested} version={version} />
      </Dialog>
    </Panel>
  )
}

type Version = Schemas['Version']

function getColumns(getName: (principal: string) => string, onVersion: (version: string) => void) {
  return [
    {
      title: 'Version',
      cell: ({ version }: Version) => (
        <Button look="quiet" className="-my-1.5 -ml-3" onClick={() => onVersion(String(version))}>
          Version {version}
        </Button>
      ),
    },
    { title: 'Since', cell: ({ validFrom }: Version) => <Time at={validFrom} /> },
    {
      title: 'Change',
      cell: ({ version, level }: Version) =>
        version === 1 ? 'Created' : <ChangeLevel level={level} />,
    },
    {
      title: 'By',
      cell: ({ principal }: Version) => <span className="user-text">{getName(principal)}</span>,
    },
  ]
}

function versionQuery(id: string, version: string) {
  const path = `/api/assets/${encodeURIComponent(id)}/versions/${encodeURIComponent(version)}`
  return queryOptions({
    queryKey: ['asset-version', id, version],
    enabled: version !== '',
    queryFn: async ({ signal }) => await readStoredText(path, signal),
  })
}

type VersionSourceProps = Pick<HistoryViewProps, 'id' | 'isIngested' | 'version'>

function VersionSource({ id, isIngested, version }: VersionSourceProps) {
  const stored = useQuery(versionQuery(id, version))
  return (
    <Loaded query={stored}>
      {({ text, mediaType }) => (
        <SourceView
          text={isIngested ? formatDocument(text) : text}
          mediaType={mediaType}
          fileName={`${id}-${version}`}
        />
      )}
    </Loaded>
  )
}
