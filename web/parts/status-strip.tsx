import { Link } from './link.tsx'
import { ToneIcon, type Tone } from './status.tsx'
import { Tooltip } from './tooltip.tsx'

/** One of the things that happened one after the other. */
interface StripItem {
  key: string
  href: string
  tone: Tone
  /** The outcome and its time, as a sentence. */
  title: string
}

interface StatusStripProps {
  /** The accessible name: `Last runs of Warehouse`. */
  label: string
  /** The items, oldest first; the newest is on the right. */
  items: readonly StripItem[]
}

/** The last outcomes of many, each by shape and colour, with a link. */
export function StatusStrip({ label, items }: StatusStripProps) {
  return (
    <ol aria-label={label} className="-mx-1 flex flex-wrap items-center gap-0.5">
      {items.map(({ key, href, tone, title }) => (
        <li key={key} className="flex">
          <Tooltip text={title}>
            <Link
              href={href}
              plain
              aria-label={title}
              className="grid size-6 place-items-center rounded hover:bg-hover"
            >
              <ToneIcon tone={tone} size={16} />
            </Link>
          </Tooltip>
        </li>
      ))}
    </ol>
  )
}
