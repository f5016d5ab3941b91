import { api } from '../../api/client.ts'
import { DomainSpot } from '../../parts/avatar.tsx'
import { Link } from '../../parts/link.tsx'
import { Panel } from '../../parts/page.tsx'
import { numberText } from '../../parts/number-text.ts'
import { paths } from '../../paths.ts'

const SHOWN_MAX = 6

/** The domains with the most data products; nothing when no product is in one. */
export function DomainsPanel() {
  const { data = [] } = api.useQuery('get', '/ui/domains', {}, { staleTime: 60_000 })
  const shown = data.filter(({ id, dataProducts }) => id !== null && dataProducts > 0)
  if (shown.length === 0) return null
  return (
    <Panel
      flush
      title="Browse by domain"
      actions={
        <Link href={paths.domains()} className="text-sm">
          All domains
        </Link>
      }
    >
      <ul className="divide-y divide-line">
        {shown.slice(0, SHOWN_MAX).map(({ id, name, dataProducts }) => (
          <li key={id}>
            <Link
              href={paths.domain(id ?? '')}
              plain
              className="flex items-center gap-2.5 px-4 py-2 hover:bg-hover/60"
            >
              <DomainSpot id={id ?? ''} />
              <span className="user-text line-clamp-1 min-w-0 flex-1">{name}</span>
              <span className="figures text-sm text-muted">
                {numberText(dataProducts)} {dataProducts === 1 ? 'product' : 'products'}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
