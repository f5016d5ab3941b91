import { Link } from '../parts/link.tsx'
import { paths } from '../paths.ts'
import type { AffectedReader, Impact } from './affected.ts'

/** Lists what a change affects, consumers first: data products with their teams and ports, teams, and people. */
export function AffectedList({ impact: { consumers, providers } }: { impact: Impact }) {
  return (
    <ul className="grid gap-1">
      {consumers.map((reader) => (
        <AffectedItem key={`${reader.type} ${reader.id}`} reader={reader} use="reads it" />
      ))}
      {providers.map((reader) => (
        <AffectedItem key={`${reader.type} ${reader.id}`} reader={reader} use="provides it" />
      ))}
    </ul>
  )
}

function AffectedItem({ reader, use }: { reader: AffectedReader; use: string }) {
  const { team, ports, hasAccess } = reader
  return (
    <li className="user-text">
      <ReaderName reader={reader} />
      <span className="text-muted">
        {team !== undefined && (
          <>
            {' '}
            of <Link href={paths.team(team.id)}>{team.name}</Link>
          </>
        )}{' '}
        {hasAccess && ports.length === 0 ? 'has access to it' : use}
        {ports.length > 0 && <> through {ports.join(', ')}</>}
        {hasAccess && ports.length > 0 && <> and has access to it</>}
      </span>
    </li>
  )
}

function ReaderName({ reader: { type, id, name } }: { reader: AffectedReader }) {
  if (type === 'USER') return <>{name}</>
  return <Link href={type === 'TEAM' ? paths.team(id) : paths.dataProduct(id)}>{name}</Link>
}
