import { Link } from './link.tsx'
import { Tag } from './status.tsx'

interface TagLinksProps {
  tags: readonly string[]
  /** Returns the address of the resources with a tag. */
  getHref: (tag: string) => string
}

/** The tags of a resource, each a link at least 24 px high and wide. */
export function TagLinks({ tags, getHref }: TagLinksProps) {
  return (
    // The links are higher than a line of text; the margin keeps the first row on the line of its label.
    <span className="-my-0.5 flex flex-wrap gap-x-1">
      {tags.map((tag, at) => (
        <Link
          key={`${at} ${tag}`}
          href={getHref(tag)}
          plain
          className="flex min-h-6 items-center py-0.5"
        >
          <Tag>
            <span className="line-clamp-3">{tag}</span>
          </Tag>
        </Link>
      ))}
    </span>
  )
}
