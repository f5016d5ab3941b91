import type { TreeRow } from '../../parts/tree-grid.tsx'

/** The fields of an asset that the tree needs. */
interface Node {
  id: string
  childCount: number
}

/** The fields of a root that the tree needs. */
interface Root {
  /** Null = the assets without an integration. */
  integrationExternalId: string | null
  rootCount: number
}

/** The loaded children of a row. */
interface Below<AnyNode> {
  branch: { nodes: readonly AnyNode[]; next: string | null } | undefined
  problem: { message: string } | undefined
}

/** A row of the tree of assets. */
export type AssetTreeRow<AnyRoot, AnyNode> = TreeRow &
  (
    | { kind: 'root'; root: AnyRoot }
    | { kind: 'asset'; node: AnyNode }
    /** A placeholder for children that are loading, not loaded yet, or failed. */
    | { kind: 'rest'; below: string; isFirst: boolean; message: string | undefined }
  )

/** Returns the key of a root's row, which is that of its place. */
function keyOfRoot(root: Root): string {
  const { integrationExternalId } = root
  return integrationExternalId === null ? 'clients' : `integration:${integrationExternalId}`
}

/** Returns the key of an asset's row, which is that of its place. */
function keyOfNode({ id }: Node): string {
  return `asset:${id}`
}

/**
 * Builds the visible rows of the tree, top down. The key of a row is its place, so that a row that was
 * loading keeps the focus when its asset arrives. An asset does not open below itself, so that a cycle
 * of parents ends.
 */
export function treeRows<AnyRoot extends Root, AnyNode extends Node>(
  roots: readonly AnyRoot[],
  isOpen: (key: string) => boolean,
  getBelow: (key: string) => Below<AnyNode> | undefined,
): AssetTreeRow<AnyRoot, AnyNode>[] {
  const rows: AssetTreeRow<AnyRoot, AnyNode>[] = []
  const add = (place: string, above: readonly string[], count: number): void => {
    const key = above.at(-1) ?? ''
    const level = above.length + 1
    const below = getBelow(key)
    const nodes = below?.branch?.nodes ?? []
    const setSize = Math.max(count, nodes.length)
    nodes.forEach((node, at) => {
      const nodeKey = keyOfNode(node)
      const open = isOpen(nodeKey) && !above.includes(nodeKey)
      const hasChildren = node.childCount > 0
      const row = { level, hasChildren, isOpen: open, position: at + 1, setSize }
      rows.push({ kind: 'asset', node, key: `${place}/${at}`, ...row })
      if (open && hasChildren) add(`${place}/${at}`, [...above, nodeKey], node.childCount)
    })
    if (below?.branch === undefined || below.branch.next !== null) {
      rows.push({
        kind: 'rest',
        key: `${place}/${nodes.length}`,
        below: key,
        isFirst: below?.branch === undefined,
        message: below?.problem?.message,
        level,
        hasChildren: false,
        isOpen: false,
        position: nodes.length + 1,
        setSize,
      })
    }
  }
  roots.forEach((root, at) => {
    const key = keyOfRoot(root)
    const open = isOpen(key)
    const row = { level: 1, isOpen: open, position: at + 1, setSize: roots.length }
    rows.push({ kind: 'root', root, key, hasChildren: root.rootCount > 0, ...row })
    if (open && root.rootCount > 0) add(key, [key], root.rootCount)
  })
  return rows
}
