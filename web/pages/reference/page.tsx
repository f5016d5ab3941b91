import { Suspense } from 'react'
import { Skeleton } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { lazyPart } from '../../parts/lazy-part.ts'

const Reference = lazyPart(() => import('./reference.tsx'), 'Reference')

/** The API as the server describes it, to read and to try. */
export function ReferencePage() {
  return (
    <Page title="API" facts="Read and write everything in the catalog over HTTP.">
      <Suspense fallback={<Skeleton lines={8} label="Loading the reference" />}>
        <Reference />
      </Suspense>
    </Page>
  )
}
