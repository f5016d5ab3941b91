import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { findProblem } from '../../api/problem.ts'
import { QueryPanel } from '../../parts/loaded.tsx'
import { ProblemNotice } from '../../parts/notice.tsx'
import { useToast } from '../../parts/toast.tsx'

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
  const queries = useQueryClient()
  const showToast = useToast()
  const save = api.useMutation('put', '/ui/notification-digest', {
    onSuccess: () => showToast('Digest saved'),
    onSettled: () => queries.invalidateQueries({ queryKey: ['get', '/ui/notification-digest'] }),
  })
  const problem = findProblem(save)
  return (
    <>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <label className="flex flex-wrap items-center gap-3">
        One e-mail a day, from this time (UTC)
        <select
          className="min-h-9 rounded-md border border-line-strong bg-surface px-2"
          value={hour}
          onChange={({ target }) => save.mutate({ body: { hour: Number(target.value) } })}
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
