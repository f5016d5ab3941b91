import { listIgnored } from './page-parameters.ts'

const NAMES_MAX = 5
const CHARACTERS_MAX = 60

interface IgnoredParametersProps {
  path: string
  /** The query of the address. */
  query: string
}

/** Names the parameters of the address that the page does not read, in one line; nothing if it reads all of them. */
export function IgnoredParameters({ path, query }: IgnoredParametersProps) {
  const ignored = listIgnored(path, query)
  if (ignored.length === 0) return null
  const more = ignored.length - NAMES_MAX
  return (
    <p role="status" className="user-text px-4 pt-3 text-sm text-muted sm:px-8">
      Ignored in this address:{' '}
      {ignored
        .slice(0, NAMES_MAX)
        .map((name) => name.slice(0, CHARACTERS_MAX).toWellFormed())
        .join(', ')}
      {more > 0 && ` and ${more} more`}
    </p>
  )
}
