import { client } from '../../api/client.ts'
import { sessionQuery, useSession } from '../../api/session.ts'
import { ActionDialog } from '../../shell/action-dialog.tsx'
import { forgetDrafts } from '../../shell/draft.ts'
import type { Member } from './member-rules.ts'
import { useOrganizationChoice } from '../../shell/session-actions.ts'

interface MemberDialogProps {
  member: Member
  onClose: () => void
}

/** Asks before a person becomes an owner or stops being one. */
export function ChangeRoleDialog({ member, onClose }: MemberDialogProps) {
  const { user } = useSession()
  const { userId, name, ownerGroups } = member
  const role = member.ownRole === 'Owner' ? 'Member' : 'Owner'
  // The person's own role decides what this page offers.
  const own = userId === user.id ? [{ queryKey: sessionQuery.queryKey }] : []
  return (
    <ActionDialog
      title={role === 'Owner' ? `Make ${name} an owner?` : `Make ${name} a member?`}
      button={role === 'Owner' ? 'Make owner' : 'Make member'}
      request={() =>
        client.PUT('/ui/members/{userId}', { params: { path: { userId } }, body: { role } })
      }
      notice={`${name} is now ${role === 'Owner' ? 'an owner' : 'a member'}`}
      refresh={['/ui/members', ...own]}
      onClose={onClose}
    >
      <p>
        {role === 'Owner'
          ? 'Owners can change everything: what any team owns, members, and keys of the organization.'
          : 'Members read the whole catalog. Their roles in teams decide what they can change, also with their personal keys.'}
      </p>
      {role === 'Member' && ownerGroups.length > 0 && (
        <p>
          {name} stays an owner as long as they are in the group{' '}
          <span className="user-text font-medium">{ownerGroups.join(', ')}</span>.
        </p>
      )}
    </ActionDialog>
  )
}

/** Asks before a member is removed, or before the person leaves. */
export function RemoveMemberDialog({ member, onClose }: MemberDialogProps) {
  const { user, organization, organizations } = useSession()
  const choose = useOrganizationChoice()
  const { userId, name } = member
  const isSelf = userId === user.id
  const organizationName = organization?.name ?? 'the organization'
  // Nothing of the organization stays on the page.
  const leave = (): void => {
    forgetDrafts()
    void choose(organizations.find(({ id }) => id !== organization?.id)?.id)
  }
  return (
    <ActionDialog
      title={isSelf ? `Leave ${organizationName}?` : `Remove ${name}?`}
      button={isSelf ? 'Leave' : 'Remove'}
      danger
      request={() => client.DELETE('/ui/members/{userId}', { params: { path: { userId } } })}
      notice={isSelf ? `You left ${organizationName}` : `${name} removed`}
      {...(isSelf ? { onSuccess: leave } : { refresh: ['/ui/members'] as const })}
      onClose={onClose}
    >
      <p>
        {isSelf ? 'You lose' : 'They lose'} access on every device within a second, and{' '}
        {isSelf ? 'your' : 'their'} personal API keys in this organization are deleted: programs
        that use them stop working. What {isSelf ? 'you' : 'they'} changed stays.
      </p>
      <p>{isSelf ? 'You' : 'They'} can come back with a new invitation.</p>
    </ActionDialog>
  )
}
