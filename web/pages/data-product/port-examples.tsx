import { queryOptions, useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import type { OutputPort } from '../../../formats/data-product/data-product.ts'
import { readAcceptedJson } from '../../../formats/text/json-read.ts'
import { asText, getField } from '../../../formats/text/value.ts'
import { api, type Schemas } from '../../api/client.ts'
import { readText } from '../../api/document.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { countText } from '../../parts/number-text.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { toExampleTables, type ExampleCell, type ExampleTable } from './example-table.ts'

type Example = Schemas['PortExamples'][number]

type Port = Pick<OutputPort, 'id' | 'name' | 'contractId'>

/** The example data of an output port, loaded on demand. Renders nothing without example data. */
export function PortExamples({ productId, port }: { productId: string; port: Port }) {
  const query = { dataProductId: productId }
  const { data = [] } = api.useQuery('get', '/ui/example-data', { params: { query } })
  const examples = data.filter((example) => isOfPort(example, port))
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  if (examples.length === 0) return null
  return (
    <div className="grid justify-items-start gap-2">
      <Button
        look="quiet"
        className="-ml-3"
        icon={isOpen ? ChevronDown : ChevronRight}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        Example data<span className="sr-only"> of {port.name}</span>
      </Button>
      <div id={id} hidden={!isOpen} className="grid w-full grid-cols-[minmax(0,1fr)] gap-3">
        {isOpen && examples.map((example) => <LoadedExample key={example.id} id={example.id} />)}
      </div>
    </div>
  )
}

// Versions of a port have the same name and different contracts.
function isOfPort({ outputPortId, dataContractId }: Example, port: Port): boolean {
  if (outputPortId !== port.id && outputPortId !== port.name) return false
  return dataContractId === null || dataContractId === port.contractId
}

/** Example data that were read. */
interface LoadedExampleData {
  schemaName: string | undefined
  tables: ExampleTable[]
}

function exampleQuery(id: string) {
  return queryOptions({
    queryKey: ['example-data', id],
    async queryFn({ signal }): Promise<LoadedExampleData> {
      const { text } = await readText(`/api/example-data/${encodeURIComponent(id)}`, { signal })
      const source = readAcceptedJson(text)
      const value = source.ok ? source.spelled() : {}
      return {
        schemaName: asText(getField(value, 'schemaName')),
        tables: toExampleTables(getField(value, 'data') ?? []),
      }
    },
  })
}

function LoadedExample({ id }: { id: string }) {
  const query = useQuery(exampleQuery(id))
  return (
    <Loaded query={query} skeleton={{ lines: 4, label: 'Loading the example data' }}>
      {({ schemaName, tables }) => (
        <>
          {tables.map((table, at) => (
            <ShownTable key={`${at}`} table={table} name={table.name ?? schemaName ?? id} />
          ))}
        </>
      )}
    </Loaded>
  )
}

function ShownTable({ table, name }: { table: ExampleTable; name: string }) {
  const { columns, rows, rowsCount, columnsCount } = table
  if (rows.length === 0 || columns.length === 0) {
    return <p className="text-muted">No example rows for {name}.</p>
  }
  const more = [
    rowsCount > rows.length ? countText(rowsCount - rows.length, 'more row') : '',
    columnsCount > columns.length ? countText(columnsCount - columns.length, 'more column') : '',
  ].filter((text) => text !== '')
  return (
    <div className="grid min-w-0 gap-1 rounded-md bg-sunken p-3">
      <h4 className="user-text font-medium">{name}</h4>
      <Table
        label={`Example data of ${name}`}
        columns={columns.map(toColumn)}
        rows={rows.map((cells, at) => ({ cells, key: `${at}` }))}
        getKey={({ key }) => key}
      />
      {more.length > 0 && (
        <p className="text-sm text-muted">{more.join(' and ')} available through the API.</p>
      )}
    </div>
  )
}

function toColumn(title: string, at: number): Column<{ cells: readonly ExampleCell[] }> {
  return {
    title,
    cell: ({ cells }) => <Cell cell={cells[at]} />,
  }
}

function Cell({ cell }: { cell: ExampleCell | undefined }) {
  if (cell?.text === undefined) return <span className="text-faint">–</span>
  if (cell.kind === 'null') return <span className="text-muted">null</span>
  if (cell.kind === 'other') return <code className="user-text text-sm">{cell.text}</code>
  return (
    <span className={cell.kind === 'number' ? 'figures user-text' : 'user-text'}>{cell.text}</span>
  )
}
