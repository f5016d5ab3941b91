import { lazy, Suspense } from 'react'
import { Skeleton } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { loadPart } from '../../shell/chunks.ts'

const Reference = lazy(async () => ({
  default: (await loadPart(() => import('./reference.tsx'))).Reference,
}))

/** The API as the server describes it, to read and to try. */
export function ReferencePage() {
  return (
    <Page title="API" facts="Everything that the catalog knows can be read and written over HTTP.">
      <Suspense fallback={<Skeleton lines={8} label="Loading the reference" />}>
        <Reference />
      </Suspense>
    </Page>
  )
}
