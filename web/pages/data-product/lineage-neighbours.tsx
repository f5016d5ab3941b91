import { Link } from '../../parts/link.tsx'
import { nodeHref, nodeText, type Neighbour } from './lineage-nodes.ts'

interface NeighboursProps {
  title: string
  /** The text when there are no neighbors. */
  none: string
  list: readonly Neighbour[]
}

/** The neighbors of a data product in one direction, nearest first, as a list. */
export function Neighbours({ title, none, list }: NeighboursProps) {
  return (
    <section className="min-w-0">
      <h3 className="text-sm text-muted">{title}</h3>
      {list.length === 0 ? (
        <p className="text-muted">{none}</p>
      ) : (
        <ul className="mt-1 grid gap-1.5">
          {list.map(({ node, contracts, steps }) => {
            const href = nodeHref(node)
            return (
              <li key={node.key} className="user-text">
                {href === undefined ? (
                  node.name
                ) : (
                  <Link href={href} className="inline-block min-h-6">
                    {node.name}
                  </Link>
                )}
                <span className="block text-sm text-muted">
                  {nodeText(node)}
                  {steps > 1 && ` · ${steps} steps away`}
                  {contracts.length > 0 && ` · ${contracts.join(', ')}`}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}
