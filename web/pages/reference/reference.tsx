import { useQuery } from '@tanstack/react-query'
import type { Value } from '../../../formats/text/value.ts'
import { readText } from '../../api/document.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { readApiDocument, type ApiDocument } from './api-document.ts'
import { Introduction } from './introduction.tsx'
import { OperationList } from './operation-list.tsx'
import { OperationView } from './operation-view.tsx'

const USUAL = { op: '', q: '' }

/** The operations beside the selected one; both are in the address. */
export function Reference() {
  const query = useQuery({
    queryKey: ['openapi'],
    staleTime: Number.POSITIVE_INFINITY,
    async queryFn({ signal }): Promise<ApiDocument> {
      const { text } = await readText('/openapi.json', { accept: 'application/json', signal })
      const document: Value = JSON.parse(text)
      return readApiDocument(document)
    },
  })
  return <Loaded query={query}>{(document) => <Both document={document} />}</Loaded>
}

function Both({ document }: { document: ApiDocument }) {
  const [{ op, q }, setUrl] = useUrlState(USUAL)
  const operation = document.operations.find(({ id }) => id === op)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[17rem_minmax(0,1fr)]">
      <OperationList
        operations={document.operations}
        filter={q}
        current={op}
        onFilter={(next) => setUrl({ q: next }, { replace: true })}
      />
      <div className="min-w-0">
        {operation !== undefined && (
          // What is filled in belongs to one operation.
          <OperationView key={operation.id} operation={operation} schemas={document.schemas} />
        )}
        {operation === undefined && op !== '' && (
          <Empty title={`Operation "${op}" not found`}>Choose an operation from the list.</Empty>
        )}
        {op === '' && <Introduction version={document.version} />}
      </div>
    </div>
  )
}
