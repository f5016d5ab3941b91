import { useMutation } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { findProblem } from '../api/problem.ts'
import { ProblemNotice, Skeleton } from '../parts/notice.tsx'
import { useLinkToken } from './link-token.ts'
import { OutsidePage } from './outside-page.tsx'

interface LinkPageProps<Subject> {
  /** Loads what the link is for. Errors: Problem, 404 for a link that was used or has expired. */
  look: (token: string) => Promise<Subject>
  title: string
  /** The page of such a link. */
  invalid: ReactNode
  children: (subject: NonNullable<Subject>, token: string) => ReactNode
}

/** The page of a link for one use, whose secret is in its address. */
export function LinkPage<Subject>({ look, title, invalid, children }: LinkPageProps<Subject>) {
  const token = useLinkToken()
  const looking = useMutation({ mutationFn: look })
  const { mutate, data } = looking
  useEffect(() => {
    if (token !== undefined) mutate(token)
  }, [token, mutate])
  const problem = findProblem(looking)
  if (token === undefined || problem?.status === 404) return invalid
  if (data !== undefined && data !== null) return children(data, token)
  return (
    <OutsidePage title={problem === undefined ? title : 'Link not loaded'}>
      {problem === undefined ? (
        <Skeleton label="Loading the link" />
      ) : (
        <ProblemNotice problem={problem} onRetry={() => mutate(token)} />
      )}
    </OutsidePage>
  )
}
