import { api } from '../../api/client.ts'
import { AssetIcon, assetWord, describeChildren } from '../../parts/asset-kind.tsx'
import { Link } from '../../parts/link.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { Status } from '../../parts/status.tsx'
import { Count } from '../../parts/tabs.tsx'
import { numberText } from '../../parts/number-text.ts'
import { paths } from '../../paths.ts'

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
