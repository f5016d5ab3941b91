import { Link } from './link.tsx'
import { ToneIcon, type Tone } from './status.tsx'
import { Tooltip } from './tooltip.tsx'

/** One of the things that happened one after the other. */
export interface StripItem {
  key: string
  href: string
  tone: Tone
  /** How it ended and when, as a sentence. */
  title: string
}

interface StatusStripProps {
  /** What the strip is about, for who cannot see it: `Last runs of Warehouse`. */
  label: string
  /** The oldest first: the newest stands at the right. */
  items: readonly StripItem[]
}

/** How the last of many went, each by shape and colour, with a link to it. */
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
