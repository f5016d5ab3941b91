import { Suspense, type ReactNode } from 'react'
import { useSession } from '../api/session.ts'
import { lazyPart } from '../parts/lazy-part.ts'
import { MissingContext } from '../parts/loaded.tsx'
import { Skeleton } from '../parts/notice.tsx'
import { PageHeadContext } from '../parts/page.tsx'
import { PageRecordContext, type PageRecord } from './page-record.ts'
import { findPagePermit, type PageNeed } from './page-rights.ts'

const RightNotice = lazyPart(() => import('./right-notice.tsx'), 'RightNotice')

const MissingThing = lazyPart(() => import('./missing-thing.tsx'), 'MissingThing')

const MISSING = (
  <Suspense fallback={<Skeleton lines={2} label="Loading" />}>
    <MissingThing />
  </Suspense>
)

/** Gives a page what its record declares: the notice at its head, and the text of what it cannot show. */
export function PageFrame({ record, children }: { record: PageRecord; children: ReactNode }) {
  const { needs } = record
  return (
    <PageRecordContext value={record}>
      <MissingContext value={MISSING}>
        <PageHeadContext
          value={needs === undefined ? null : <HeadNotice record={record} needs={needs} />}
        >
          {children}
        </PageHeadContext>
      </MissingContext>
    </PageRecordContext>
  )
}

// A page whose need depends on an owner states it itself.
function HeadNotice({ record, needs }: { record: PageRecord; needs: PageNeed }) {
  const session = useSession()
  if (needs.statedAt !== 'head' || needs.on === 'its team') return null
  const permit = findPagePermit(session, needs, null)
  if (permit.allowed) return null
  return (
    <Suspense fallback={<Skeleton lines={1} label="Loading" />}>
      <div className="mb-4">
        <RightNotice
          permit={permit}
          title={record.path.endsWith('/new') ? 'You cannot save this' : 'You cannot change this'}
        />
      </div>
    </Suspense>
  )
}
