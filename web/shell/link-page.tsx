import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, type ReactNode, useState } from 'react'
import { ProblemNotice, Skeleton } from '../parts/notice.tsx'
import { useAction } from './action.ts'
import { OutsidePage } from './outside-page.tsx'

interface LinkPageProps<Subject> {
  /** Loads what the link is for. Errors: Problem, 404 for a link that was used or has expired. */
  look: (token: string) => Promise<Subject>
  title: string
  /** The page of such a link. */
  invalid: ReactNode
  children: (subject: Subject, token: string) => ReactNode
}

/** The page of a link for one use, whose secret is in its address. */
export function LinkPage<Subject>({ look, title, invalid, children }: LinkPageProps<Subject>) {
  const token = useLinkToken()
  const { run, result, problem } = useAction({ request: look })
  useEffect(() => {
    if (token !== undefined) run(token)
  }, [token, run])
  if (token === undefined || problem?.status === 404) return invalid
  if (result !== undefined) return children(result, token)
  return (
    <OutsidePage title={problem === undefined ? title : 'Link not loaded'}>
      {problem === undefined ? (
        <Skeleton label="Loading the link" />
      ) : (
        <ProblemNotice problem={problem} onRetry={() => run(token)} />
      )}
    </OutsidePage>
  )
}

/**
 * The secret behind the `#` of a link for one use; undefined = the address carries none. It leaves
 * the address at once, so that neither the history nor a screen shared by chance keeps it.
 */
export function useLinkToken(): string | undefined {
  const router = useRouter()
  const hash = useRouterState({ select: (state) => state.location.hash })
  const [token, setToken] = useState<string | undefined>(undefined)
  if (hash !== '' && hash !== token) setToken(hash)
  useEffect(() => {
    if (hash !== '') router.history.replace(router.state.location.pathname)
  }, [hash, router])
  return token
}
