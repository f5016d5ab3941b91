import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { client } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import type { ActivityQuery } from '../../documents/activity-group.tsx'
import { Button } from '../../parts/button.tsx'
import { download } from '../../parts/download.ts'
import { ProblemNotice } from '../../parts/notice.tsx'

const FORMATS = { csv: 'Export CSV', jsonl: 'Export JSON lines' } as const

type Format = keyof typeof FORMATS

/** Buttons that download all entries that match the filters of the page. */
export function ExportButtons({ query }: { query: ActivityQuery }) {
  const exporting = useMutation({
    mutationFn: async (format: Format) =>
      await client.GET('/api/activity', {
        params: { query: { ...query, format } },
        parseAs: 'blob',
      }),
    onSuccess({ data }, format) {
      if (data !== undefined) download(data, data.type, `activity.${format}`)
    },
  })
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        {(['csv', 'jsonl'] as const).map((format) => (
          <Button
            key={format}
            icon={Download}
            busy={exporting.isPending && exporting.variables === format}
            onClick={() => exporting.mutate(format)}
          >
            {FORMATS[format]}
          </Button>
        ))}
      </div>
      {exporting.isError && (
        <ProblemNotice
          problem={toProblem(exporting.error)}
          onRetry={() => exporting.mutate(exporting.variables)}
        />
      )}
    </div>
  )
}
