import { useRouter } from '@tanstack/react-router'
import { problemOf } from '../api/problem.ts'
import { ButtonLink } from '../parts/button.tsx'
import { Empty, ProblemNotice, Skeleton } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { paths } from '../paths.ts'

/** What is shown when a page could not be: the reason, and a second try. */
export function FailedPage({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter()
  const retry = (): void => {
    reset()
    void router.invalidate()
  }
  return (
    <Page title="This page could not be shown" width="reading">
      <ProblemNotice problem={problemOf(error)} onRetry={retry} />
    </Page>
  )
}

/** What is shown for an address that no page has. */
export function NoPage() {
  return (
    <Page title="There is no such page" width="reading">
      <Empty
        title="The address leads nowhere"
        action={<ButtonLink href={paths.home}>Go home</ButtonLink>}
      >
        It may be misspelled, or what it showed has moved. Press <kbd>/</kbd> to search.
      </Empty>
    </Page>
  )
}

/** What is shown while the code of a page is on its way. */
export function PendingPage() {
  return (
    <div className="mx-auto max-w-7xl px-4 pt-5 sm:px-8">
      <Skeleton lines={6} label="Loading the page" />
    </div>
  )
}
