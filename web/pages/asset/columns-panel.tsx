import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { ClassificationsProvider } from '../../documents/classifications.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { SchemaTree } from '../../parts/schema-tree.tsx'

interface ColumnsPanelProps {
  id: string
  filter: string
  onFilter: (filter: string) => void
}

/** Returns the query for the columns of an asset. */
export function modelQuery(id: string) {
  return api.queryOptions('get', '/api/assets/{id}/model', { params: { path: { id } } })
}

/** The columns of a table, including nested fields. */
export function ColumnsPanel({ id, filter, onFilter }: ColumnsPanelProps) {
  const model = useQuery(modelQuery(id))
  return (
    <QueryPanel
      flush
      title="Columns"
      query={model}
      empty={<Empty title="No columns">The document of this asset lists no columns.</Empty>}
      isEmpty={({ models }) => models.every(({ fields }) => fields.length === 0)}
    >
      {({ models }) => (
        <ClassificationsProvider>
          <SchemaTree label="Columns" models={models} filter={filter} onFilter={onFilter} />
        </ClassificationsProvider>
      )}
    </QueryPanel>
  )
}
