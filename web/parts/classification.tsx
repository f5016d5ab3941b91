import { Lock, LockOpen } from 'lucide-react'
import { createContext, use, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { findTier, type ClassificationTier } from './classification-tiers.ts'
import { newTable } from '../../formats/name/table.ts'

const TiersContext = createContext<readonly ClassificationTier[]>([])

interface TiersProviderProps {
  tiers: readonly ClassificationTier[]
  children: ReactNode
}

/** Provides the tiers of the organization's schemes to the classifications below it. */
export function TiersProvider({ tiers, children }: TiersProviderProps) {
  return <TiersContext value={tiers}>{children}</TiersContext>
}

/** Returns the tiers of the organization's schemes. */
export function useTiers(): readonly ClassificationTier[] {
  return use(TiersContext)
}

const LOOKS = {
  open: 'border-positive/40 bg-positive-soft text-positive',
  internal: 'border-accent/40 bg-accent-soft text-accent',
  limited: 'border-caution/40 bg-caution-soft text-caution',
  secret: 'border-critical/40 bg-critical-soft text-critical',
  neutral: 'border-line-strong bg-sunken text-muted',
}

const COLORS = newTable<keyof typeof LOOKS>({
  green: 'open',
  teal: 'open',
  blue: 'internal',
  cyan: 'internal',
  indigo: 'internal',
  purple: 'internal',
  yellow: 'limited',
  amber: 'limited',
  orange: 'limited',
  red: 'secret',
  pink: 'secret',
  gray: 'neutral',
  grey: 'neutral',
})

const OPEN = /^(public|open|internal)$/i
const SECRET = /^(restricted|secret|pii|sensitive|highly|strictly|special|personal)/i

// Without a scheme, the usual words have the usual looks.
function getUsualLook(name: string): keyof typeof LOOKS {
  if (OPEN.test(name)) return 'internal'
  return SECRET.test(name) ? 'secret' : 'limited'
}

/** A field's classification in the colour of its tier, always with an icon. */
export function Classification({ name }: { name: string }) {
  const tier = findTier(useTiers(), name)
  const look = COLORS[tier?.color?.toLowerCase() ?? ''] ?? getUsualLook(tier?.name ?? name)
  const Icon = look === 'open' || look === 'internal' ? LockOpen : Lock
  return (
    <span
      title={describe(name, tier)}
      className={classNames(
        'user-text inline-flex max-w-full items-center gap-1 rounded border px-1.5 text-xs font-medium',
        LOOKS[look],
      )}
    >
      <Icon size={11} aria-hidden className="shrink-0" />
      {tier?.name ?? name}
    </span>
  )
}

function describe(name: string, tier: ClassificationTier | undefined): string {
  if (tier === undefined) return `Classification: ${name}`
  const { scheme, level, description } = tier
  const rank = level === undefined ? '' : `, level ${level}`
  const title = `${scheme}: ${tier.name}${rank}`
  return description === undefined ? title : `${title}. ${description}`
}
