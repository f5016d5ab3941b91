import { classNames } from './class-names.ts'
import { findPlatformName } from './platform-name.ts'
import { Tag } from './status.tsx'
import { newTable } from '../../formats/name/table.ts'

type Shape = 'square' | 'circle' | 'hexagon'

interface Look {
  letters: string
  shape: Shape
  colour: string
}

/** The marks of platforms by their names on the wire: letters on a shape, no trademarks. */
const LOOKS = newTable<Look>({
  postgres: { letters: 'Pg', shape: 'square', colour: 'fill-platform-blue' },
  mysql: { letters: 'My', shape: 'square', colour: 'fill-platform-teal' },
  mariadb: { letters: 'Ma', shape: 'square', colour: 'fill-platform-brown' },
  iceberg: { letters: 'Ib', shape: 'hexagon', colour: 'fill-platform-cyan' },
  snowflake: { letters: 'Sf', shape: 'hexagon', colour: 'fill-platform-blue' },
  databricks: { letters: 'Db', shape: 'hexagon', colour: 'fill-platform-red' },
  unity: { letters: 'Uc', shape: 'hexagon', colour: 'fill-platform-red' },
  bigquery: { letters: 'Bq', shape: 'circle', colour: 'fill-platform-blue' },
  redshift: { letters: 'Rs', shape: 'circle', colour: 'fill-platform-violet' },
  mssql: { letters: 'Ms', shape: 'square', colour: 'fill-platform-red' },
  oracle: { letters: 'Or', shape: 'square', colour: 'fill-platform-red' },
  glue: { letters: 'Gl', shape: 'circle', colour: 'fill-platform-violet' },
  fabric: { letters: 'Fa', shape: 'circle', colour: 'fill-platform-teal' },
  powerbi: { letters: 'Bi', shape: 'circle', colour: 'fill-platform-brown' },
  alation: { letters: 'Al', shape: 'circle', colour: 'fill-platform-teal' },
  kafka: { letters: 'Kf', shape: 'circle', colour: 'fill-platform-grey' },
  s3: { letters: 'S3', shape: 'circle', colour: 'fill-platform-brown' },
})

/** Returns the mark of a platform; an unknown one gets its first two letters. */
function getPlatformLook(source: string): Look {
  const known = LOOKS[source.toLowerCase()]
  if (known !== undefined) return known
  const [first = '?', second = ''] = Array.from(source.replaceAll(/[^\p{L}\p{N}]/gu, ''))
  const letters = `${first.toUpperCase()}${second.toLowerCase()}`
  return { letters, shape: 'square', colour: 'fill-platform-grey' }
}

interface PlatformMarkProps {
  /** The name of the platform on the wire: `postgres`. */
  source: string
  /** In pixels. */
  size?: number
  className?: string
}

/** A label of a platform with its mark; other words, such as `table`, are labels only. */
export function PlatformTag({ type }: { type: string }) {
  const name = findPlatformName(type)
  if (name === undefined) return <Tag>{type}</Tag>
  return (
    <Tag>
      <PlatformMark source={toSource(type)} size={14} className="mr-1" />
      {name}
    </Tag>
  )
}

// Servers of contracts have other names than sources.
function toSource(type: string): string {
  const source = type.trim().toLowerCase()
  if (source === 'postgresql') return 'postgres'
  return source === 'sqlserver' ? 'mssql' : source
}

/** A small mark of a platform. It decorates the platform's name, which must be shown beside it. */
export function PlatformMark({ source, size = 20, className }: PlatformMarkProps) {
  const { letters, shape, colour } = getPlatformLook(source)
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox="0 0 24 24"
      className={classNames('shrink-0', className)}
    >
      <g className={colour}>
        {shape === 'square' && <rect x="1" y="1" width="22" height="22" rx="5" />}
        {shape === 'circle' && <circle cx="12" cy="12" r="11.5" />}
        {shape === 'hexagon' && <path d="M12 .5 22 6.2v11.6L12 23.5 2 17.8V6.2Z" />}
      </g>
      <text
        x="12"
        y="16"
        textAnchor="middle"
        className="fill-on-accent font-semibold"
        fontSize="10.5"
      >
        {letters}
      </text>
    </svg>
  )
}
