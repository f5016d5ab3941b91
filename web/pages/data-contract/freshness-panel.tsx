import { api, type Schemas } from '../../api/client.ts'
import { QueryPanel } from '../../parts/loaded.tsx'
import { Status, Tag } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'

type PromisedFreshness = Schemas['DataContractFreshness'][number]

/** The freshness that a contract promises of each model, and the evidence of the last change. */
export function FreshnessPanel({ id }: { id: string }) {
  const query = api.useQuery('get', '/api/datacontracts/{id}/freshness', {
    params: { path: { id } },
  })
  return (
    <QueryPanel
      title="Freshness"
      flush
      query={query}
      skeleton={{ lines: 2, label: 'Loading the freshness' }}
      isEmpty={(models) => models.length === 0}
      empty={
        <p className="p-4 text-muted">
          No service level of this contract promises how fresh its data are.
        </p>
      }
    >
      {(models) => (
        <ul className="divide-y divide-line">
          {models.map((one) => (
            <li key={`${one.server} ${one.model}`} className="grid gap-0.5 px-4 py-2.5">
              <ModelFreshness one={one} />
            </li>
          ))}
        </ul>
      )}
    </QueryPanel>
  )
}

const STATES = {
  fresh: { word: 'Fresh', tone: 'positive' },
  late: { word: 'Late', tone: 'critical' },
  unknown: { word: 'Unknown', tone: 'neutral' },
} as const

const EVIDENCE = {
  check: 'Newest data according to a test',
  lineage: 'A pipeline completed',
  data: 'Data changed',
  counter: 'Rows changed before',
  any: 'Data or definition changed',
} as const

const REASONS = {
  no_promise: 'The contract promises nothing.',
  unreadable: 'The promise cannot be read.',
  not_linked: 'No table is linked.',
  view: 'The source reports no changes of views.',
  no_evidence: 'The source reports no changes of data.',
  not_read: 'The source was not read since the data were due, or is read too seldom.',
} as const

function ModelFreshness({ one }: { one: PromisedFreshness }) {
  const { server, model, isProduction, state, reason, promised, evidence, evidenceAt, lateAt } = one
  const { word, tone } = STATES[state]
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <code className="user-text">{model}</code>
        <Status tone={tone}>{word}</Status>
        {!isProduction && <Tag>Does not count: not production</Tag>}
      </span>
      <span className="user-text text-sm text-muted">
        On {server}. Promised: {promised.property} {promised.text}.
        {evidence !== null && evidenceAt !== null && (
          <>
            {' '}
            {EVIDENCE[evidence]} <Time at={evidenceAt} />.
          </>
        )}
        {state === 'late' && lateAt !== null && (
          <>
            {' '}
            Late since <Time at={lateAt} />.
          </>
        )}
        {reason !== null && ` ${promised.unreadable ?? REASONS[reason]}`}
      </span>
    </>
  )
}
