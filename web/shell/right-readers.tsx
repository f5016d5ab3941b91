import { Lock } from 'lucide-react'
import { use, type ReactNode } from 'react'
import { useHelpers } from '../api/people-who-help.ts'
import { useSession } from '../api/session.ts'
import { Empty } from '../parts/notice.tsx'
import { PageRecordContext } from './page-record.ts'
import { describeHidden, namesHelpers } from './right-words.ts'

interface ReadersOnlyProps {
  /** The content of the page, within a sentence: `e-mail texts`. */
  things: string
  /** Rendered only for those who see it, so that nothing is requested in vain. */
  children: () => ReactNode
}

/** Content that only some callers see, as the record of the page declares; the others see who does. */
export function ReadersOnly({ things, children }: ReadersOnlyProps) {
  const session = useSession()
  const seenBy = use(PageRecordContext)?.seenBy ?? 'everyone'
  const owners = useHelpers(namesHelpers(seenBy) ? {} : undefined)
  const hidden = describeHidden(session, { things, seenBy, owners })
  if (hidden === undefined) return children()
  return (
    <div className="rounded-lg border border-line bg-surface">
      <Empty icon={Lock} title="Not visible to you">
        {hidden}
      </Empty>
    </div>
  )
}
