import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { onForbidden } from '../api/client.ts'
import { keepOrganization, currentOrganization } from '../api/organization.ts'
import { sessionQuery, useSession } from '../api/session.ts'
import { useToast } from '../parts/toast.tsx'
import { paths } from '../paths.ts'
import { useRefresh } from './action.ts'
import { forgetDrafts } from './draft.ts'

/**
 * Follows what others change about the person: a rejected request reloads the permissions, a new role is
 * shown, and a person who was removed leaves the organization. Used once, around all pages.
 */
export function useAccessChanges(): void {
  const session = useSession()
  const queries = useQueryClient()
  const router = useRouter()
  const showToast = useToast()
  const refresh = useRefresh()
  useEffect(() => onForbidden(() => void refresh([{ queryKey: sessionQuery.queryKey }])), [refresh])
  const known = useRef(session)
  useEffect(() => {
    const { organization: before } = known.current
    known.current = session
    if (before === null) return
    const now = session.organizations.find(({ id }) => id === before.id)
    if (now !== undefined) {
      if (now.role !== before.role) {
        showToast(
          `You are now ${now.role === 'Owner' ? 'an owner' : 'a member'} of ${now.name}.`,
          'info',
        )
      }
      return
    }
    // A person who left is already on the way out.
    if (currentOrganization() !== before.id) return
    const isSuspended = session.suspendedIn.some(({ id }) => id === before.id)
    showToast(
      isSuspended
        ? `Your account is suspended in ${before.name}.`
        : `You are no longer a member of ${before.name}.`,
      'caution',
    )
    keepOrganization(session.organization?.id)
    forgetDrafts()
    // What is typed here can be saved nowhere any more.
    router.history.push(paths.home, undefined, { ignoreBlocker: true })
    void queries.resetQueries()
  }, [session, queries, router, showToast])
}
