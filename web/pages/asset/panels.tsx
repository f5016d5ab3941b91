import { useQuery } from '@tanstack/react-query'
import { api, type Schemas } from '../../api/client.ts'
import { ClassificationsProvider } from '../../documents/classifications.tsx'
import { AssetIcon, assetWord, describeChildren } from '../../parts/asset-kind.tsx'
import { Link, NameLink } from '../../parts/link.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { LongText } from '../../parts/long-text.tsx'
import { Empty } from '../../parts/notice.tsx'
import { numberText } from '../../parts/number-text.ts'
import { Panel, StackedFacts } from '../../parts/page.tsx'
import { SchemaTree } from '../../parts/schema-tree.tsx'
import { Status } from '../../parts/status.tsx'
import { Count } from '../../parts/tabs.tsx'
import { paths } from '../../paths.ts'
import { readInfo } from './asset-document.ts'

const SHOWN_MAX = 100

interface ContentsPanelProps {
  id: string
  childCount: number
  /** The address of the tree with this asset open. */
  treeHref: string
}

/** The first children of a database or schema; the tree shows all of them. */
export function ContentsPanel({ id, childCount, treeHref }: ContentsPanelProps) {
  const children = api.useQuery('get', '/ui/assets/children', {
    params: { query: { parent: id, limit: SHOWN_MAX } },
  })
  return (
    <QueryPanel
      flush
      title="Contains"
      marks={<Count>{numberText(childCount)}</Count>}
      actions={
        <Link href={treeHref} className="text-sm">
          Open in tree
        </Link>
      }
      query={children}
    >
      {({ nodes, next }) => (
        <>
          <ul className="divide-y divide-line">
            {nodes.map((node) => (
              <li
                key={node.id}
                className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 px-4 py-1.5"
              >
                <AssetIcon type={node.type} />
                <Link href={paths.asset(node.id)} className="user-text line-clamp-1 min-w-0">
                  {node.name === '' ? node.id : node.name}
                </Link>
                <span className="text-sm text-muted">{assetWord(node.type)}</span>
                {node.childCount > 0 && (
                  <span className="text-sm text-muted">
                    {describeChildren(node.type, node.childCount)}
                  </span>
                )}
                {node.status === 'deleted' && <Status tone="off">Removed from source</Status>}
                {node.description !== null && (
                  <span className="user-text line-clamp-1 w-full text-sm text-muted">
                    {node.description}
                  </span>
                )}
              </li>
            ))}
          </ul>
          {next !== null && (
            <p className="border-t border-line px-4 py-2">
              <Link href={treeHref}>Show all {numberText(childCount)} in the tree</Link>
            </p>
          )}
        </>
      )}
    </QueryPanel>
  )
}

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

/** The data products whose ports use an asset. */
export function ProductsPanel({ products }: { products: Schemas['AssetPage']['products'] }) {
  return (
    <Panel flush title="Used by" marks={products.length > 0 && <Count>{products.length}</Count>}>
      {products.length === 0 ? (
        <p className="px-4 py-4 text-muted">
          No data product uses this asset. Add its id to a port, under <code>assets</code>.
        </p>
      ) : (
        <ul className="max-h-80 divide-y divide-line overflow-y-auto">
          {products.map(({ id, name, ownerId, ownerName }) => (
            <li key={id} className="grid justify-items-start gap-1 px-4 py-1.5">
              <NameLink href={paths.dataProduct(id)} name={name} lines={2} />
              <NameLink
                href={paths.team(ownerId)}
                plain
                className="text-sm text-muted hover:underline"
                name={ownerName}
                lines={1}
              />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** Further properties of an asset; nothing if there are none. */
export function PropertiesPanel({ page }: { page: Schemas['AssetPage'] }) {
  const { properties } = readInfo(page.asset)
  if (properties.length === 0) return null
  return (
    <Panel title="Properties">
      <StackedFacts
        facts={properties.map(([name, value]) => [
          name,
          <LongText key={name} text={value} charactersMax={200} />,
        ])}
      />
    </Panel>
  )
}
