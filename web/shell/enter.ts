import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { chooseOrganization } from '../api/organization.ts'
import { beginSession, type Session } from '../api/session.ts'

/**
 * Returns a function that starts the pages with a new session, at one of our addresses. Data that was
 * loaded for another person or organization is not shown.
 */
export function useEnter(): (session: Session, to: string) => void {
  const queries = useQueryClient()
  const router = useRouter()
  return useCallback(
    (session, to) => {
      chooseOrganization(session.organization?.id)
      queries.removeQueries({ type: 'inactive' })
      beginSession(queries, session)
      // The back button skips the form, which is done.
      router.history.replace(to)
    },
    [queries, router],
  )
}
