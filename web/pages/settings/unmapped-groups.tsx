import type { Schemas } from '../../api/client.ts'
import { numberText } from '../../parts/number-text.ts'
import { Empty } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { Table, type Column } from '../../parts/table.tsx'

type MappingUse = Schemas['MappingUse']
type UnmappedGroup = MappingUse['unmappedGroups'][number]

/** The groups of the directory and of sign-in providers that the mapping does not name. */
export function UnmappedGroups({ use }: { use: MappingUse }) {
  const { unmappedGroups: groups, unmappedCount } = use
  return (
    <Panel
      title="Groups without a role"
      marks={unmappedCount === 0 ? undefined : numberText(unmappedCount)}
      flush
    >
      {groups.length === 0 ? (
        <Empty title="No groups without a role">
          Groups of your directory or sign-in provider that the mapping does not name appear here.
        </Empty>
      ) : (
        <Table
          label="Groups that have no role"
          rows={groups}
          columns={COLUMNS}
          getKey={({ source, name }) => `${source} ${name}`}
        />
      )}
    </Panel>
  )
}

const SOURCES = {
  directory: 'Directory',
  provider: 'Sign-in provider',
} as const satisfies Record<UnmappedGroup['source'], string>

const COLUMNS: readonly Column<UnmappedGroup>[] = [
  { title: 'Group', cell: ({ name }) => <span className="user-text">{name}</span> },
  { title: 'From', cell: ({ source }) => SOURCES[source] },
  { title: 'People', align: 'right', cell: ({ people }) => numberText(people) },
]
