import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { chooseOrganization } from '../../api/organization.ts'
import { problemOf } from '../../api/problem.ts'
import { sessionQuery, useSession } from '../../api/session.ts'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { ProblemNotice } from '../../parts/notice.tsx'
import { useTell } from '../../parts/toast.tsx'
import { paths } from '../../paths.ts'
import { forgetDrafts } from '../../shell/draft.ts'
import type { Member } from './member-rules.ts'

interface MemberDialogProps {
  member: Member
  onClose: () => void
}

/** Asks before somebody becomes an owner or stops being one. */
export function ChangeRoleDialog({ member, onClose }: MemberDialogProps) {
  const { user } = useSession()
  const queries = useQueryClient()
  const tell = useTell()
  const { userId, name } = member
  const role = member.role === 'Owner' ? 'Member' : 'Owner'
  const change = api.useMutation('put', '/ui/members/{userId}', {
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['get', '/ui/members'] })
      // One's own role decides what this page offers.
      if (userId === user.id) await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
      tell(`${name} is ${role === 'Owner' ? 'an owner' : 'a member'} now.`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={role === 'Owner' ? `Make ${name} an owner?` : `Make ${name} a member?`}
      action={role === 'Owner' ? 'Make an owner' : 'Make a member'}
      dismiss="Cancel"
      busy={change.isPending}
      onConfirm={() => change.mutate({ params: { path: { userId } }, body: { role } })}
    >
      <p>
        {role === 'Owner'
          ? 'An owner may do everything: change what any team owns, manage members, make keys of the organization.'
          : 'A member reads the whole catalog; what they may change follows from their roles in teams. Their personal keys follow at once.'}
      </p>
      {change.error !== null && <ProblemNotice problem={problemOf(change.error)} />}
    </ConfirmDialog>
  )
}

/** Asks before somebody is removed, or before the person themselves leaves. */
export function RemoveMemberDialog({ member, onClose }: MemberDialogProps) {
  const { user, organization, organizations } = useSession()
  const router = useRouter()
  const queries = useQueryClient()
  const tell = useTell()
  const { userId, name } = member
  const isSelf = userId === user.id
  const organizationName = organization?.name ?? 'the organization'
  const remove = api.useMutation('delete', '/ui/members/{userId}', {
    async onSuccess() {
      tell(isSelf ? `You have left ${organizationName}.` : `${name} is removed.`)
      if (!isSelf) {
        await queries.invalidateQueries({ queryKey: ['get', '/ui/members'] })
        onClose()
        return
      }
      // Nothing of an organization that one has left stays on the page.
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
      dismiss={isSelf ? 'Stay' : 'Keep'}
      danger
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ params: { path: { userId } } })}
    >
      <p>
        {isSelf ? 'You lose' : 'They lose'} access within a second, on every device.{' '}
        {isSelf ? 'Your' : 'Their'} personal keys of this organization are deleted: programs that
        use them stop working. What {isSelf ? 'you' : 'they'} have changed stays.
      </p>
      <p>Only a new invitation brings {isSelf ? 'you' : 'them'} back.</p>
      {remove.error !== null && <ProblemNotice problem={problemOf(remove.error)} />}
    </ConfirmDialog>
  )
}
