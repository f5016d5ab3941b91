import type { Answer } from '../../api/client.ts'
import { Link } from '../../parts/link.tsx'
import { numberText } from '../../parts/number-text.ts'
import { RECORD_KINDS } from '../../../formats/record/kinds.ts'
import { getRecordPaths, paths } from '../../paths.ts'

/** The size of the catalog, each number a link; kinds of which there are none are left out. */
export function CountsStrip({ counts }: { counts: Answer<'/ui/home', 'get'>['counts'] }) {
  const entries = [
    { title: 'data products', href: paths.dataProducts, count: counts.dataProducts },
    { title: 'data contracts', href: paths.dataContracts, count: counts.dataContracts },
    { title: 'teams', href: paths.teams, count: counts.teams },
    { title: 'assets', href: paths.assets(), count: counts.assets },
    {
      title: 'source systems',
      href: getRecordPaths(RECORD_KINDS['source-system']).list,
      count: counts.sourceSystems,
    },
    { title: 'integrations', href: paths.integrations, count: counts.integrations },
  ].filter(({ count }) => count > 0)
  if (entries.length === 0) return null
  return (
    <ul aria-label="In the catalog" className="flex flex-wrap gap-x-6 gap-y-1">
      {entries.map(({ title, href, count }) => (
        <li key={href}>
          <Link
            href={href}
            plain
            className="inline-flex min-h-7 items-baseline gap-1.5 rounded text-muted hover:text-ink hover:underline"
          >
            <span className="font-semibold text-ink">{numberText(count)}</span>
            {count === 1 ? title.replace(/s$/, '') : title}
          </Link>
        </li>
      ))}
    </ul>
  )
}
