import type { Schemas } from '../../api/client.ts'
import { Empty } from '../../parts/notice.tsx'
import { numberText } from '../../parts/number-text.ts'
import { Panel } from '../../parts/page.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'

type Refusal = Schemas['DirectoryState']['refusals'][number]

const COLUMNS: readonly Column<Refusal>[] = [
  {
    title: 'Time',
    className: 'whitespace-nowrap',
    cell: ({ refusedAt }) => <Time at={refusedAt} />,
  },
  {
    title: 'Request',
    className: 'max-w-96',
    cell: ({ method, path }) => (
      <code className="user-text line-clamp-2 break-all">{`${method} ${path.replace(/^\/api\/scim\/v2/, '')}`}</code>
    ),
  },
  { title: 'Status', cell: ({ status }) => status },
  {
    title: 'Reason',
    className: 'min-w-60',
    cell: ({ sentence }) => <span className="user-text line-clamp-3">{sentence}</span>,
  },
  {
    title: 'Request id',
    className: 'max-w-48',
    cell: ({ requestId }) => <code className="user-text line-clamp-1 break-all">{requestId}</code>,
  },
]

/** The last requests of the directory that were rejected, each with its reason. */
export function RefusalsPanel({ refusals }: { refusals: readonly Refusal[] }) {
  return (
    <Panel title="Rejected requests" marks={numberText(refusals.length)} flush>
      {refusals.length === 0 ? (
        <Empty title="No rejected requests">
          The last 50 requests of the directory that Portbook rejects appear here.
        </Empty>
      ) : (
        <Table
          label="Rejected requests"
          columns={COLUMNS}
          rows={refusals}
          getKey={({ id }) => id}
        />
      )}
    </Panel>
  )
}
