import { Boxes, Cable, CircleHelp, FileText, Table2, UsersRound } from 'lucide-react'

const ICONS: Readonly<Record<string, typeof Boxes>> = {
  DATA_PRODUCT: Boxes,
  DATA_CONTRACT: FileText,
  DATA_ASSET: Table2,
  TEAM: UsersRound,
  INTEGRATION: Cable,
}

const WORDS: Readonly<Record<string, string>> = {
  DATA_PRODUCT: 'Data product',
  DATA_CONTRACT: 'Data contract',
  DATA_ASSET: 'Asset',
  TEAM: 'Team',
}

/** Returns the word for a resource type, in the singular. */
export function resourceWord(resourceType: string): string {
  return WORDS[resourceType] ?? resourceType
}

/** The icon of a resource type, next to its word. */
export function ResourceIcon({ resourceType, size = 16 }: { resourceType: string; size?: number }) {
  const Icon = ICONS[resourceType] ?? CircleHelp
  return <Icon aria-hidden size={size} className="shrink-0 text-faint" />
}
