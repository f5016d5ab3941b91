import { Cylinder, Eye, File, FolderTree, Radio, Table2 } from 'lucide-react'
import { capitalize } from './capitalize.ts'
import { holdsSchemas } from './asset-types.ts'
import { countText } from './number-text.ts'

const KINDS: readonly (readonly [ending: string, word: string, icon: typeof Eye])[] = [
  ['database', 'Database', Cylinder],
  ['catalog', 'Catalog', Cylinder],
  ['schema', 'Schema', FolderTree],
  ['namespace', 'Namespace', FolderTree],
  ['dataset', 'Dataset', FolderTree],
  ['materialized_view', 'Materialized view', Eye],
  ['foreign_table', 'Foreign table', Table2],
  ['partitioned_table', 'Partitioned table', Table2],
  ['external_table', 'External table', Table2],
  ['view', 'View', Eye],
  ['topic', 'Topic', Radio],
  ['file', 'File', File],
  ['table', 'Table', Table2],
]

function findKind(type: string) {
  return KINDS.find(([ending]) => type === ending || type.endsWith(`_${ending}`))
}

/** Returns the word for an asset type: `Table` for `postgres_table`, `Kafka cluster` for `kafka_cluster`. */
export function assetWord(type: string): string {
  return findKind(type)?.[1] ?? capitalize(type.replaceAll('_', ' '))
}

/** Describes how much is directly in an asset of a type: `3 schemas`, `25 objects`. */
export function describeChildren(type: string, count: number): string {
  return countText(count, holdsSchemas(type) ? 'schema' : 'object')
}

/** The icon of an asset type, next to its word. */
export function AssetIcon({ type, size = 15 }: { type: string; size?: number }) {
  const Icon = findKind(type)?.[2] ?? Table2
  return <Icon aria-hidden size={size} className="shrink-0 text-faint" />
}
