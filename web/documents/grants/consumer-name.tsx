import type { AccessFinding } from './grant-words.ts'
import { NameLink } from '../../parts/link.tsx'
import { paths } from '../../paths.ts'
import { TeamLink } from '../team-link.tsx'

/** The consumer that a name of the platform means. */
export function ConsumerName({
  consumer: { kind, id, name },
}: {
  consumer: NonNullable<AccessFinding['consumer']>
}) {
  if (kind === 'team') return <TeamLink id={id} name={name} />
  if (kind === 'data-product') {
    return <NameLink href={paths.dataProduct(id)} name={name ?? id} lines={1} />
  }
  return <span className="user-text">{name ?? 'A person who has left'}</span>
}
