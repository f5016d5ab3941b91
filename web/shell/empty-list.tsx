import type { LucideIcon } from 'lucide-react'
import { use, type ReactNode } from 'react'
import { useHelpers } from '../api/people-who-help.ts'
import { useSession } from '../api/session.ts'
import { Button, ButtonLink } from '../parts/button.tsx'
import { Empty } from '../parts/notice.tsx'
import { PageRecordContext } from './page-record.ts'
import type { PageReaders } from './page-rights.ts'
import { describeHidden, namesHelpers } from './right-words.ts'

interface EmptyListProps {
  icon?: LucideIcon
  /** The elements, within a sentence: `integrations`. */
  things: string
  /** The readers of its elements, if others than those who see the page. */
  seenBy?: PageReaders
  /** Whether filters are set, and how they are cleared: a link or a function. */
  filter?: { isSet: boolean; clear?: string | (() => void); advice?: string }
  /** The title if there are none: `No integrations yet`. */
  title: string
  /** The next step if there are none. */
  action?: ReactNode
  /** The things that appear here. */
  children: ReactNode
}

/**
 * An empty list, in words that are true for this person: nothing matches the filters, nothing that the person may see,
 * or nothing at all.
 */
export function EmptyList(props: EmptyListProps) {
  const { icon, things, filter, title, action, children } = props
  const session = useSession()
  const pageReaders = use(PageRecordContext)?.seenBy
  const seenBy = props.seenBy ?? pageReaders ?? 'everyone'
  const owners = useHelpers(namesHelpers(seenBy) ? {} : undefined)
  const hidden = describeHidden(session, { things, seenBy, owners })
  const look = icon === undefined ? {} : { icon }
  if (filter?.isSet === true) {
    return (
      <Empty {...look} title={`No matching ${things}`} action={<Clear clear={filter.clear} />}>
        {filter.advice ?? 'Change or clear the filters.'} {hidden}
      </Empty>
    )
  }
  if (hidden !== undefined) {
    return (
      <Empty {...look} title={`No ${things} that you can see`} action={action}>
        {hidden} {seenBy === 'the person and owners' && children}
      </Empty>
    )
  }
  return (
    <Empty {...look} title={title} action={action}>
      {children}
    </Empty>
  )
}

function Clear({ clear }: { clear: string | (() => void) | undefined }) {
  if (clear === undefined) return null
  return typeof clear === 'string' ? (
    <ButtonLink href={clear}>Clear filters</ButtonLink>
  ) : (
    <Button onClick={clear}>Clear filters</Button>
  )
}
