import { api, client } from '../../api/client.ts'
import { QueryPanel } from '../../parts/loaded.tsx'
import { ProblemNotice } from '../../parts/notice.tsx'
import { useAction } from '../../shell/action.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** The hour of the daily e-mail of the user. */
export function DigestPanel() {
  const query = api.useQuery('get', '/ui/notification-digest')
  return (
    <QueryPanel title="Daily digest" query={query} skeleton={{ lines: 1 }}>
      {({ hour }) => <DigestHour hour={hour} />}
    </QueryPanel>
  )
}

function DigestHour({ hour }: { hour: number }) {
  const save = useAction({
    request: (body: { hour: number }) => client.PUT('/ui/notification-digest', { body }),
    notice: 'Digest saved',
    refresh: ['/ui/notification-digest'],
    refreshAfterError: ['/ui/notification-digest'],
  })
  return (
    <>
      <ProblemNotice problem={save.problem} />
      <label className="flex flex-wrap items-center gap-3">
        One e-mail a day, from this time (UTC)
        <select
          className="min-h-9 rounded-md border border-line-strong bg-surface px-2"
          value={hour}
          onChange={({ target }) => save.run({ hour: Number(target.value) })}
        >
          {HOURS.map((each) => (
            <option key={each} value={each}>
              {`${String(each).padStart(2, '0')}:00`}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}
