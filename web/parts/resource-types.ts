import { Award, BookA, Scale, ShieldAlert, Tag, Server, type LucideIcon } from 'lucide-react'
import { RECORDS } from '../../formats/record/kinds.ts'
import type { RecordIcon } from '../../formats/record/record-kind.ts'
import { newTable } from '../../formats/name/table.ts'

/** The icons of records. */
export const RECORD_ICONS: Readonly<Record<RecordIcon, LucideIcon>> = {
  server: Server,
  book: BookA,
  scale: Scale,
  tag: Tag,
  award: Award,
  shield: ShieldAlert,
}

const WORDS = newTable<string>({
  DATA_PRODUCT: 'Data product',
  DATA_CONTRACT: 'Data contract',
  DATA_ASSET: 'Asset',
  TEAM: 'Team',
  ...Object.fromEntries(
    RECORDS.map(({ resourceType, called }) => [
      resourceType,
      called.charAt(0).toUpperCase() + called.slice(1),
    ]),
  ),
})

/** Returns the word for a resource type, in the singular. */
export function resourceWord(resourceType: string): string {
  return WORDS[resourceType] ?? resourceType
}
