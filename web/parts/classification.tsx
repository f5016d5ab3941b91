import { Lock, LockOpen } from 'lucide-react'
import { createContext, use, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { getLook, type ClassificationLook } from './classification-looks.ts'
import { findTier, type ClassificationTier } from './classification-tiers.ts'

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

const LOOKS: Readonly<Record<ClassificationLook, string>> = {
  open: 'border-positive/40 bg-positive-soft text-positive',
  internal: 'border-accent/40 bg-accent-soft text-accent',
  limited: 'border-caution/40 bg-caution-soft text-caution',
  secret: 'border-critical/40 bg-critical-soft text-critical',
  neutral: 'border-line-strong bg-sunken text-muted',
}

/** A field's classification in the colour of its tier, always with an icon. */
export function Classification({ name }: { name: string }) {
  const tiers = useTiers()
  const tier = findTier(tiers, name)
  const look = getLook(tiers, name)
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
