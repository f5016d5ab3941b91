import { newTable } from '../../formats/name/table.ts'
import { findTier, type ClassificationTier } from './classification-tiers.ts'

/** The look of a classification, from open to secret; `neutral` = a colour without a meaning. */
export type ClassificationLook = 'open' | 'internal' | 'limited' | 'secret' | 'neutral'

const COLORS = newTable<ClassificationLook>({
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
function getUsualLook(name: string): ClassificationLook {
  if (OPEN.test(name)) return 'internal'
  return SECRET.test(name) ? 'secret' : 'limited'
}

/** Returns the look of a classification: that of the colour of its tier, or that of its usual meaning. */
export function getLook(tiers: readonly ClassificationTier[], name: string): ClassificationLook {
  const tier = findTier(tiers, name)
  return COLORS[tier?.color?.toLowerCase() ?? ''] ?? getUsualLook(tier?.name ?? name)
}

/** Returns whether a classification protects data, such as confidential or personal data. */
export function isProtected(tiers: readonly ClassificationTier[], name: string): boolean {
  const look = getLook(tiers, name)
  return look === 'limited' || look === 'secret'
}
