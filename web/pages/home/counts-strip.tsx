import type { Answer } from '../../api/client.ts'
import { Link } from '../../parts/link.tsx'
import { numberText } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'

/** How much there is of everything, each number a way to it. */
export function CountsStrip({ counts }: { counts: Answer<'/ui/home', 'get'>['counts'] }) {
  const places = [
    { title: 'data products', href: paths.dataProducts, count: counts.dataProducts },
    { title: 'data contracts', href: paths.dataContracts, count: counts.dataContracts },
    { title: 'teams', href: paths.teams, count: counts.teams },
    { title: 'assets', href: paths.assets(), count: counts.assets },
    { title: 'integrations', href: paths.integrations, count: counts.integrations },
  ]
  return (
    <ul aria-label="What the catalog holds" className="flex flex-wrap gap-x-6 gap-y-1">
      {places.map(({ title, href, count }) => (
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
