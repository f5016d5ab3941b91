import { use, type ReactNode } from 'react'
import { useHelpers } from '../api/people-who-help.ts'
import { useSession } from '../api/session.ts'
import { capitalize } from '../parts/capitalize.ts'
import { Empty } from '../parts/notice.tsx'
import { PageRecordContext } from './page-record.ts'
import { describeMissing, namesHelpers } from './right-words.ts'

interface MissingThingProps {
  /** The noun for it, within a sentence: `integration`. */
  called?: string
  /** The next step. */
  action?: ReactNode
  /** Further hints for finding it. */
  children?: ReactNode
}

/**
 * The content of a page about a thing that the server does not show: gone, never created, or not visible to the
 * person. The sentence is true in each case.
 */
export function MissingThing({ called, action, children }: MissingThingProps) {
  const session = useSession()
  const seenBy = use(PageRecordContext)?.seenBy ?? 'everyone'
  const owners = useHelpers(namesHelpers(seenBy) ? {} : undefined)
  return (
    <Empty
      title={called === undefined ? 'Not found' : `${capitalize(called)} not found`}
      action={action}
    >
      {describeMissing(session, { seenBy, owners })} {children}
    </Empty>
  )
}
