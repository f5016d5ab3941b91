import { findWorst, LEVELS, type Level } from '../../ledger/trust/signal.ts'

// The worst output port of a data product decides about each signal.

/** The members of a signal by which ports are compared. */
interface Comparable {
  state: Level
  word: string
  since: string | null
  reason: string
}

/** Returns the worst of some signals: of equally bad ones the newest; undefined without any. */
export function findWorstSignal<Signal extends Comparable>(
  signals: readonly Signal[],
): Signal | undefined {
  const worst = findWorst(signals.map(({ state }) => state))
  return signals
    .filter(({ state }) => state === worst)
    .toSorted((a, b) => (b.since ?? '').localeCompare(a.since ?? ''))[0]
}

/** The words of the summary of a signal. */
interface SummaryWords {
  /** The word of a port about which nothing is known. */
  neutral: string
  /** The participle for the other ports: `tested`. */
  participle: string
}

/**
 * Summarizes a signal of several output ports: the worst one, with a reason that counts the ports about which something is
 * known and names the bad ones. Undefined without ports.
 */
export function summarizePortSignals<Signal extends Comparable>(
  ports: readonly { name: string; signal: Signal }[],
  { neutral, participle }: SummaryWords,
): Signal | undefined {
  const worst = findWorstSignal(ports.map(({ signal }) => signal))
  if (worst === undefined) return undefined
  const count = ports.filter(({ signal }) => signal.word !== neutral).length
  const named = ports.filter(({ signal }) => signal.word === worst.word)
  const [first] = named
  const isBad = LEVELS.indexOf(worst.state) < LEVELS.indexOf('neutral')
  const more = named.length > 1 ? ` and ${named.length - 1} more` : ''
  const cause = isBad && first !== undefined ? ` ${worst.word}: ${first.name}${more}.` : ''
  return { ...worst, reason: `${describePorts(count, ports.length, participle)}${cause}` }
}

function describePorts(count: number, total: number, participle: string): string {
  if (total === 1) return `Its port is ${count === 1 ? '' : 'not '}${participle}.`
  return `${count} of ${total} ports ${participle}.`
}
