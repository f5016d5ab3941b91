import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { chooseOrganization } from '../../api/organization.ts'
import { findProblem } from '../../api/problem.ts'
import { sessionQuery, useSession } from '../../api/session.ts'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { useToast } from '../../parts/toast.tsx'
import { paths } from '../../paths.ts'
import { forgetDrafts } from '../../shell/draft.ts'
import type { Member } from './member-rules.ts'

interface MemberDialogProps {
  member: Member
  onClose: () => void
}

/** Asks before a person becomes an owner or stops being one. */
export function ChangeRoleDialog({ member, onClose }: MemberDialogProps) {
  const { user } = useSession()
  const queries = useQueryClient()
  const showToast = useToast()
  const { userId, name } = member
  const role = member.role === 'Owner' ? 'Member' : 'Owner'
  const change = api.useMutation('put', '/ui/members/{userId}', {
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['get', '/ui/members'] })
      // The person's own role decides what this page offers.
      if (userId === user.id) await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
      showToast(`${name} is now ${role === 'Owner' ? 'an owner' : 'a member'}`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={role === 'Owner' ? `Make ${name} an owner?` : `Make ${name} a member?`}
      action={role === 'Owner' ? 'Make owner' : 'Make member'}
      busy={change.isPending}
      problem={findProblem(change)}
      onConfirm={() => change.mutate({ params: { path: { userId } }, body: { role } })}
    >
      <p>
        {role === 'Owner'
          ? 'Owners can change everything: what any team owns, members, and keys of the organization.'
          : 'Members read the whole catalog. Their roles in teams decide what they can change, also with their personal keys.'}
      </p>
    </ConfirmDialog>
  )
}

/** Asks before a member is removed, or before the person leaves. */
export function RemoveMemberDialog({ member, onClose }: MemberDialogProps) {
  const { user, organization, organizations } = useSession()
  const router = useRouter()
  const queries = useQueryClient()
  const showToast = useToast()
  const { userId, name } = member
  const isSelf = userId === user.id
  const organizationName = organization?.name ?? 'the organization'
  const remove = api.useMutation('delete', '/ui/members/{userId}', {
    async onSuccess() {
      showToast(isSelf ? `You left ${organizationName}` : `${name} removed`)
      if (!isSelf) {
        await queries.invalidateQueries({ queryKey: ['get', '/ui/members'] })
        onClose()
        return
      }
      // Nothing of the organization stays on the page.
      chooseOrganization(organizations.find(({ id }) => id !== organization?.id)?.id)
      forgetDrafts()
      router.history.push(paths.home)
      await queries.resetQueries()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={isSelf ? `Leave ${organizationName}?` : `Remove ${name}?`}
      action={isSelf ? 'Leave' : 'Remove'}
      danger
      busy={remove.isPending}
      problem={findProblem(remove)}
      onConfirm={() => remove.mutate({ params: { path: { userId } } })}
    >
      <p>
        {isSelf ? 'You lose' : 'They lose'} access on every device within a second, and{' '}
        {isSelf ? 'your' : 'their'} personal API keys in this organization are deleted: programs
        that use them stop working. What {isSelf ? 'you' : 'they'} changed stays.
      </p>
      <p>{isSelf ? 'You' : 'They'} can come back with a new invitation.</p>
    </ConfirmDialog>
  )
}
