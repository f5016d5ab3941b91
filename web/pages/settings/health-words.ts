import type { Schemas } from '../../api/client.ts'
import type { Tone } from '../../parts/status.tsx'
import { newTable } from '../../../formats/name/table.ts'
import { numberText } from '../../parts/number-text.ts'

type Signal = Schemas['HealthSignal']

/** The words of a signal. */
interface SignalWords {
  /** The value in a table: `Event feed: webhooks`. */
  title: (subject: string) => string
  /** The problem in a sentence, with its value. */
  problem: (subject: string, value: string) => string
  /** The first step. */
  advice: string
}

const CHANNELS = newTable<string>({
  webhook: 'Webhooks',
  email: 'E-mails',
  chat: 'Chat messages',
})

function getChannelTitle(channel: string): string {
  return CHANNELS[channel] ?? channel
}

const FOLLOWERS = newTable<string>({
  'agreement-contracts': 'Changes of contracts in access agreements',
  notifications: 'Notifications',
  readers: 'Numbers of readers',
  webhooks: 'Webhooks',
})

const getFollowerTitle = (follower: string): string => FOLLOWERS[follower] ?? follower

/** The words of every signal. */
export const SIGNAL_WORDS: Readonly<Record<Signal['name'], SignalWords>> = {
  writable: {
    title: () => 'Writes',
    problem: () => 'The database accepts no writes',
    advice:
      'Pages can be read, but nothing can be saved. Check the database: a failover, a full disk, or a setting.',
  },
  workingProcesses: {
    title: () => 'Working processes',
    problem: () => 'No process does background work',
    advice:
      'Runs, notifications and deliveries wait. Start a process with the command work, or set PORTBOOK_WORKERS to at least 1.',
  },
  versions: {
    title: () => 'Versions',
    problem: (_, value) => `Processes of ${value} versions are running`,
    advice:
      'During an upgrade, this ends with the last process that is replaced. Otherwise, replace the old ones.',
  },
  followerLag: {
    title: getFollowerTitle,
    problem: (subject, value) =>
      `${getFollowerTitle(subject)}: changes have waited for ${value} to be handled`,
    advice: 'Look for errors of this follower in the log of the working processes.',
  },
  deliveryAge: {
    title: getChannelTitle,
    problem: (subject, value) => `${getChannelTitle(subject)} have waited for ${value}`,
    advice:
      'Check that the receivers or the mail server can be reached, and look at failed attempts.',
  },
  runWait: {
    title: () => 'Ingestion runs',
    problem: (_, value) => `Ingestion runs have waited for ${value} to start`,
    advice: 'Start more working processes, or raise PORTBOOK_WORKERS.',
  },
  jobAge: {
    title: (subject) => subject,
    problem: (subject, value) => `The job "${subject}" last succeeded ${value} ago`,
    advice: 'Look for its failure in the log of the working processes.',
  },
  activityAge: {
    title: () => 'Sealing of the activity',
    problem: (_, value) => `Entries of the activity have waited for ${value} to be sealed`,
    advice: 'Look for failures of sealing in the log of the working processes.',
  },
  backupAge: {
    title: () => 'Backup',
    problem: (_, value) => `The last backup is ${value} old`,
    advice: 'Run the command backup, and check the schedule that runs it.',
  },
}

const TONES: Readonly<Record<Signal['state'], { tone: Tone; word: string }>> = {
  ok: { tone: 'positive', word: 'OK' },
  unknown: { tone: 'neutral', word: 'Unknown' },
  warning: { tone: 'caution', word: 'Attention' },
  critical: { tone: 'critical', word: 'Problem' },
}

/** Returns the tone and the word of a state. */
export function describeState(state: Signal['state']): { tone: Tone; word: string } {
  return TONES[state]
}

const UNITS = [
  [2 * 86_400, 86_400, 'days'],
  [3600, 3600, 'h'],
  [120, 60, 'min'],
  [0, 1, 's'],
] as const

/** Formats a duration in its largest fitting unit: `3 min`. */
export function describeSeconds(value: number): string {
  const [, unit, word] = UNITS.find(([from]) => value >= from) ?? [0, 1, 's']
  return `${numberText(Math.floor(value / unit))} ${word}`
}

/** Formats a value of a signal, or its limit; null = it cannot be seen. */
export function describeValue(value: number | null, unit: Signal['unit']): string {
  if (value === null) return 'some time'
  return unit === 'count' ? String(value) : describeSeconds(value)
}

/** Lists the problems, the worst first. */
export function listProblems(signals: readonly Signal[]): Signal[] {
  const list = (state: Signal['state']): Signal[] => signals.filter((one) => one.state === state)
  return [...list('critical'), ...list('warning')]
}

/** Returns the address of what to do about a signal, in the guide; undefined = its advice suffices. */
export function getGuideHref(alert: string | null): string | undefined {
  return alert === null ? undefined : `/guides/alerts#${alert.toLowerCase()}`
}
