import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { toProblem } from '../api/problem.ts'
import { ButtonLink } from '../parts/button.tsx'
import { Empty, ProblemNotice, Skeleton } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { paths } from '../paths.ts'
import { retryChunks } from '../parts/lazy-part.ts'
import { useConnectionLost } from './connection-notice.tsx'

/** The page that replaces one that failed: the reason and Retry. It retries when the server is back. */
export function FailedPage({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter()
  const retry = (): void => {
    retryChunks()
    reset()
    void router.invalidate()
  }
  const isLost = useConnectionLost()
  const wasLost = useRef(isLost)
  useEffect(() => {
    if (wasLost.current && !isLost) retry()
    wasLost.current = isLost
  })
  return (
    <Page title="This page could not be loaded" width="reading">
      <ProblemNotice problem={toProblem(error)} onRetry={retry} />
    </Page>
  )
}

/** The page of every unknown address. */
export function NoPage() {
  return (
    <Page title="Page not found" width="reading">
      <Empty
        title="This address does not exist"
        action={<ButtonLink href={paths.home}>Go home</ButtonLink>}
      >
        Check the address for typing errors, or press <kbd>/</kbd> to search.
      </Empty>
    </Page>
  )
}

/** The placeholder of a page whose code is loading. */
export function PendingPage() {
  return (
    <div className="mx-auto max-w-7xl px-4 pt-5 sm:px-8">
      <Skeleton lines={6} label="Loading the page" />
    </div>
  )
}
