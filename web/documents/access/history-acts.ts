import type { Schemas } from '../../api/client.ts'
import type { Tone } from '../../parts/status.tsx'

type Details = Schemas['AgreementDetails']
type Version = Details['history'][number]

/** An act in the history of an agreement. */
export interface HistoryAct {
  key: string
  word: string
  tone: Tone
  at: string
  /** Null = a deleted account. */
  byName: string | null
}

/** The part of an agreement that its history is read from. */
export type ActsSource = Pick<Details, 'history' | 'decidedAt' | 'decidedByName'>

const REQUESTED = { word: 'Requested', tone: 'info' } as const
const APPROVED = { word: 'Approved', tone: 'positive' } as const
const ENDED = { word: 'Access ended', tone: 'off' } as const
const TERMS_CHANGED = { word: 'Terms changed', tone: 'neutral' } as const

/** Lists the acts of an agreement, the newest first, each by the name that the decision has, too. */
export function listActs({ history, decidedAt, decidedByName }: ActsSource): HistoryAct[] {
  return history.flatMap((version, index): HistoryAct[] => {
    const { at, byName } = version
    const key = String(version.version)
    if (version.version !== 1) {
      return [{ key, at, byName, ...describeChange(history[index + 1]?.state, version) }]
    }
    const request = { key, at, byName, ...REQUESTED }
    // Portbook has approved it in the same moment.
    const isGranted = version.state !== 'requested' && version.state !== null
    return isGranted
      ? [
          { key: `${key} approval`, at: decidedAt ?? at, byName: decidedByName, ...APPROVED },
          request,
        ]
      : [request]
  })
}

function describeChange(
  before: string | null | undefined,
  { state }: Version,
): Pick<HistoryAct, 'word' | 'tone'> {
  const wasInForce = before === 'active' || before === 'upcoming'
  if (before === state) return TERMS_CHANGED
  switch (state ?? '') {
    case 'requested':
      return REQUESTED
    case 'rejected':
      return { word: wasInForce ? 'Approval withdrawn' : 'Rejected', tone: 'critical' }
    case 'upcoming':
      return wasInForce ? TERMS_CHANGED : APPROVED
    case 'active':
      return wasInForce ? { word: 'Access began', tone: 'positive' } : APPROVED
    case 'expired':
      return wasInForce ? ENDED : APPROVED
    case 'canceled':
      return wasInForce ? ENDED : { word: 'Request withdrawn', tone: 'off' }
    default:
      return { word: 'Changed', tone: 'neutral' }
  }
}
