import { Link } from './link.tsx'

interface Use {
  name: string
  /** Undefined = it has no page. */
  href: string | undefined
  /** A clause after the name: `has access to output port orders`. */
  relation: string
}

/** The uses of a thing, and its readers. */
export interface UseListProps {
  uses: readonly Use[]
  /** Counts the uses that are not listed; empty = all are. */
  rest: string
  readers: readonly Use[]
}

/** Lists what prevents a change as links, and counts the rest. */
export function UseList({ uses, rest, readers }: UseListProps) {
  return (
    <>
      <ul className="mt-1 grid gap-1">
        {uses.map((use, at) => (
          <UseItem key={at} {...use} />
        ))}
        {rest !== '' && <li className="text-muted">{rest}</li>}
      </ul>
      {readers.length > 0 && (
        <>
          <p className="mt-2">Others read it without preventing this:</p>
          <ul className="mt-1 grid gap-1">
            {readers.map((reader, at) => (
              <UseItem key={at} {...reader} />
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function UseItem({ name, href, relation }: Use) {
  return (
    <li>
      {href === undefined ? name : <Link href={href}>{name}</Link>}{' '}
      <span className="text-muted">{relation}</span>
    </li>
  )
}
