import { api, type Schemas } from '../../api/client.ts'
import { QueryPanel } from '../../parts/loaded.tsx'
import { bytesText, numberText } from '../../parts/number-text.ts'
import { Facts } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'

type Statistics = Schemas['AssetStatistics']
type Day = Statistics['days'][number]

const DAYS_SHOWN = 14

/** The size of an asset over time, and what its source reports about changes. */
export function StatisticsPanel({ id }: { id: string }) {
  const query = api.useQuery('get', '/api/assets/{id}/statistics', { params: { path: { id } } })
  return (
    <QueryPanel
      title="Size and changes"
      query={query}
      skeleton={{ lines: 3, label: 'Loading the values of the source' }}
      isEmpty={({ current, days }) => current === null && days.length === 0}
      empty={<p className="text-muted">The source reports neither size nor changes.</p>}
    >
      {({ current, days }) => (
        <div className="grid gap-3">
          {current !== null && <LastChange current={current} />}
          {days.length > 1 && <History days={days.slice(-DAYS_SHOWN).toReversed()} />}
        </div>
      )}
    </QueryPanel>
  )
}

const CHANGES = {
  data: 'Data changed',
  any: 'Data or definition changed',
  definition: 'Definition changed',
} as const

function LastChange({ current }: { current: NonNullable<Statistics['current']> }) {
  const { changedAt, changedMeans, countedAfter, countedAt } = current
  const between =
    countedAt === null ? null : (
      <>
        {countedAfter !== null && (
          <>
            after <Time at={countedAfter} />,{' '}
          </>
        )}
        before <Time at={countedAt} />
      </>
    )
  return (
    <Facts
      facts={[
        [
          CHANGES[changedMeans ?? 'any'],
          changedAt === null ? null : <Time key="changed" at={changedAt} />,
        ],
        ['Rows changed', between],
      ]}
    />
  )
}

function History({ days }: { days: readonly Day[] }) {
  return (
    <table className="w-full text-sm tabular-nums">
      <caption className="pb-1 text-left text-muted">On days with a change</caption>
      <thead>
        <tr className="text-left text-muted">
          <th className="py-1 font-normal">Day</th>
          <th className="py-1 text-right font-normal">Rows</th>
          <th className="py-1 text-right font-normal">Size</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ day, rowCount, sizeBytes }) => (
          <tr key={day} className="border-t border-line">
            <td className="py-1">{day}</td>
            <td className="py-1 text-right">{rowCount === null ? '–' : numberText(rowCount)}</td>
            <td className="py-1 text-right">{sizeBytes === null ? '–' : bytesText(sizeBytes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
