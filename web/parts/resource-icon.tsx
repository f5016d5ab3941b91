import {
  Boxes,
  Cable,
  CircleHelp,
  FileText,
  Table2,
  UsersRound,
  type LucideIcon,
} from 'lucide-react'
import { RECORDS } from '../../formats/record/kinds.ts'
import { RECORD_ICONS } from './resource-types.ts'
import { newTable } from '../../formats/name/table.ts'

const ICONS = newTable<LucideIcon>({
  DATA_PRODUCT: Boxes,
  DATA_CONTRACT: FileText,
  DATA_ASSET: Table2,
  TEAM: UsersRound,
  INTEGRATION: Cable,
  ...Object.fromEntries(
    RECORDS.map(({ resourceType, icon }) => [resourceType, RECORD_ICONS[icon]]),
  ),
})

/** The icon of a resource type, next to its word. */
export function ResourceIcon({ resourceType, size = 16 }: { resourceType: string; size?: number }) {
  const Icon = ICONS[resourceType] ?? CircleHelp
  return <Icon aria-hidden size={size} className="shrink-0 text-faint" />
}
