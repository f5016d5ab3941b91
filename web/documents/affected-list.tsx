import { Link } from '../parts/link.tsx'
import { paths } from '../paths.ts'
import type { AffectedProduct, Impact } from './affected.ts'

/** Lists the data products that a change affects, consumers first, each with its team and ports. */
export function AffectedList({ impact: { consumers, providers } }: { impact: Impact }) {
  return (
    <ul className="grid gap-1">
      {consumers.map((product) => (
        <AffectedItem key={product.id} product={product} use="reads it" />
      ))}
      {providers.map((product) => (
        <AffectedItem key={product.id} product={product} use="provides it" />
      ))}
    </ul>
  )
}

function AffectedItem({ product, use }: { product: AffectedProduct; use: string }) {
  const { id, name, team, ports } = product
  return (
    <li className="user-text">
      <Link href={paths.dataProduct(id)}>{name}</Link>
      <span className="text-muted">
        {' '}
        of <Link href={paths.team(team.id)}>{team.name}</Link> {use}
        {ports.length > 0 && <> through {ports.join(', ')}</>}
      </span>
    </li>
  )
}
