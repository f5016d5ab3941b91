import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { createContext, use, useMemo, type ReactNode } from 'react'
import { api, type Schemas } from '../api/client.ts'
import { Link } from '../parts/link.tsx'
import { countText, numberText } from '../parts/number-text.ts'
import { Status, ToneIcon } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import {
  getTrustName,
  splitIntoRequests,
  type TrustedRef,
  type TrustQuery,
} from './trust-batches.ts'
import {
  describeCounts,
  describeKept,
  describeTrust,
  listAlarming,
  listLevels,
  listSignals,
  type Signal,
} from './trust-words.ts'

/** The signals of a resource. */
type Trust = Schemas['Trust']

const TrustContext = createContext<ReadonlyMap<string, Trust>>(new Map())

interface TrustsProps {
  /** The resources of a page or a list; those without signals are ignored. */
  of: readonly TrustedRef[]
  children: ReactNode
}

/** Provides the signals of the resources of a list, which are loaded together. */
export function Trusts({ of, children }: TrustsProps) {
  const requests = splitIntoRequests(of)
  const { data } = useQuery({
    queryKey: ['trust', requests],
    enabled: requests.length > 0,
    // A list that grows keeps its marks until the further ones are there, and loads only these.
    placeholderData: keepPreviousData,
    queryFn: ({ client }) =>
      Promise.all(requests.map((query) => client.fetchQuery(toOptions(query)))),
  })
  const trusts = useMemo(
    () => new Map(data?.flat().map((trust) => [getTrustName(trust), trust])),
    [data],
  )
  return <TrustContext value={trusts}>{children}</TrustContext>
}

const FRESH_MS = 30_000

function toOptions(query: TrustQuery) {
  return api.queryOptions('get', '/api/trust', { params: { query } }, { staleTime: FRESH_MS })
}

/** Returns the signals of a resource; undefined until they are loaded. */
function useTrust(ref: TrustedRef): Trust | undefined {
  return use(TrustContext).get(getTrustName(ref))
}

interface TrustMarksProps extends TrustedRef {
  /** The signals that the list has already; undefined = those that are loaded for the page. */
  summary?: Schemas['TrustSummary'] | null
  /** Whether the number of readers is beside the shapes; false where the row has it. */
  hasReaders?: boolean
}

/** The signals of a resource as shapes with one accessible sentence; nothing until they are loaded. */
export function TrustMarks({ hasReaders = true, summary, ...ref }: TrustMarksProps) {
  const loaded = useTrust(ref)
  const trust = summary ?? loaded
  if (trust === undefined) return null
  const readers = hasReaders ? (loaded?.readers ?? null) : null
  const text = describeTrust({ ...trust, readers })
  return (
    <span
      role="img"
      aria-label={text}
      title={text}
      className="relative inline-flex shrink-0 items-center gap-1"
    >
      {listSignals(trust).map(({ name, signal }) => (
        <ToneIcon key={name} tone={signal.state} />
      ))}
      {readers !== null && readers > 0 && <Readers count={readers} />}
    </span>
  )
}

function Readers({ count }: { count: number }) {
  return (
    <span aria-hidden className="figures ml-1 inline-flex items-center gap-0.5 text-sm text-muted">
      <Users size={13} aria-hidden />
      {count}
    </span>
  )
}

/** The signals of a resource in one line: as shapes, then the words of those that need attention, each with its link. */
export function TrustLine(ref: TrustedRef) {
  const trust = useTrust(ref)
  // Keeps the place of the line.
  if (trust === undefined) return <span className="block min-h-6" />
  return (
    <span className="flex min-h-6 flex-wrap items-center gap-x-2">
      <TrustMarks {...ref} hasReaders={false} />
      {listAlarming(trust).map(({ name, signal: { word, url } }) =>
        url === null ? (
          <span key={name} className="text-sm text-muted">
            {word}
          </span>
        ) : (
          <Link
            key={name}
            href={toPath(url)}
            plain
            className="flex min-h-6 items-center text-sm text-muted hover:underline"
          >
            {word}
          </Link>
        ),
      )}
    </span>
  )
}

/**
 * The signals of a resource in full: each with shape, word, reason, time and link, then the days without an incident and the
 * number of readers.
 */
export function TrustStrip(ref: TrustedRef) {
  const trust = useTrust(ref)
  // Keeps the place of the first line.
  if (trust === undefined) return <span className="block min-h-6" />
  const kept = describeKept(trust)
  return (
    <ul aria-label="Trust" className="flex flex-wrap items-center gap-x-5 gap-y-1">
      {listSignals(trust).map((one) => (
        <li key={one.name} className="flex min-w-0 flex-wrap items-center gap-x-2">
          <ShownSignal {...one} />
        </li>
      ))}
      {kept !== undefined && <li className="text-sm text-muted">{kept}</li>}
      {trust.readers !== null && (
        <li className="flex items-center gap-1.5 text-sm text-muted">
          <Users size={14} aria-hidden />
          {countText(trust.readers, 'reader')}
        </li>
      )}
    </ul>
  )
}

/** The numbers of data products by their worst signal as shapes, with one accessible sentence; those without any are left out. */
export function TrustCounts({ counts }: { counts: Schemas['DomainSummary']['trust'] }) {
  const text = describeCounts(counts)
  return (
    <span role="img" aria-label={text} title={text} className="relative inline-flex w-fit gap-3">
      {listLevels(counts).map(({ level, count }) => (
        <span key={level} className="figures inline-flex items-center gap-1 text-sm text-muted">
          <ToneIcon tone={level} />
          {numberText(count)}
        </span>
      ))}
    </span>
  )
}

function ShownSignal({ title, signal }: Signal) {
  const { state, word, since, reason, url } = signal
  const status = (
    <>
      <span className="text-sm text-muted">
        {title}
        <span className="sr-only">:</span>
      </span>
      <Status tone={state}>{word}</Status>
    </>
  )
  const look = 'flex min-h-6 items-center gap-1.5'
  return (
    <>
      {url === null ? (
        <span className={look}>{status}</span>
      ) : (
        <Link href={toPath(url)} plain className={`${look} hover:underline`}>
          {status}
        </Link>
      )}
      {hasReason(signal) && (
        <span className="user-text min-w-0 text-sm text-muted">
          {reason}
          {since !== null && (
            <>
              {' '}
              <Time at={since} />
            </>
          )}
        </span>
      )}
    </>
  )
}

// The address of a page of this catalog without its origin.
function toPath(url: string): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}

// That nothing is known needs no sentence.
function hasReason({ state, url }: Signal['signal']): boolean {
  return state !== 'neutral' || url !== null
}
