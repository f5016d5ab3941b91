import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { chooseOrganization } from '../api/organization.ts'
import { beginSession, type Session } from '../api/session.ts'

/**
 * Goes in as the person of a new session, to one of our addresses. Nothing that was read before for
 * another person or organization is shown to this one.
 */
export function useEnter(): (session: Session, to: string) => void {
  const queries = useQueryClient()
  const router = useRouter()
  return useCallback(
    (session, to) => {
      chooseOrganization(session.organization?.id)
      queries.removeQueries({ type: 'inactive' })
      beginSession(queries, session)
      // The way back leads to where the person came from, not to a form that is done.
      router.history.replace(to)
    },
    [queries, router],
  )
}
