import { capitalize } from '../../parts/capitalize.ts'
import type { Operation } from './api-document.ts'
import { newTable } from '../../../formats/name/table.ts'

/** Operations about one kind of thing. */
interface OperationGroup {
  title: string
  operations: Operation[]
}

const TITLES = newTable<string>({
  dataproducts: 'Data products',
  datacontracts: 'Data contracts',
  'api-keys': 'API keys',
})

/** The operations whose path or words hold every word of a text, by what they are about. */
export function listOperationGroups(
  operations: readonly Operation[],
  text: string,
): OperationGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const groups = new Map<string, Operation[]>()
  for (const operation of operations) {
    const { method, path, summary, id, tag } = operation
    const told = [method, path, summary, id, getTitle(tag)].join('\n').toLowerCase()
    if (!words.every((word) => told.includes(word))) continue
    const group = groups.get(tag)
    if (group === undefined) groups.set(tag, [operation])
    else group.push(operation)
  }
  return [...groups].map(([tag, some]) => ({ title: getTitle(tag), operations: some }))
}

function getTitle(tag: string): string {
  return TITLES[tag] ?? capitalize(tag.replaceAll('-', ' '))
}
