import { api, client } from '../../api/client.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice, ProblemNotice } from '../../parts/notice.tsx'
import { useAction } from '../../shell/action.ts'
import type { Member } from './member-rules.ts'
import { SessionList, type ListedSession } from './session-list.tsx'

interface MemberSessionsDialogProps {
  member: Member
  onClose: () => void
}

/** Shows owners the sessions of a member that concern only this organization, and ends them. */
export function MemberSessionsDialog({ member, onClose }: MemberSessionsDialogProps) {
  const { userId, name } = member
  const query = api.useQuery('get', '/ui/members/{userId}/sessions', {
    params: { path: { userId } },
  })
  const end = useAction({
    request: ({ id }: ListedSession) =>
      client.DELETE('/ui/members/{userId}/sessions/{id}', { params: { path: { userId, id } } }),
    notice: 'Session ended',
    refresh: ['/ui/members/{userId}/sessions'],
    refreshAfterError: ['/ui/members/{userId}/sessions'],
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Sessions of ${name}`}
      description="A session that you end stops working on its device within a second."
    >
      <Loaded query={query} skeleton={{ lines: 4 }}>
        {({ sessions, actsElsewhere }) => (
          <>
            {actsElsewhere && (
              <Notice tone="info" title="Only sessions of this organization">
                {name} is also a member of other organizations. Sessions that act there too are not
                listed; remove or suspend the member to end their access here.
              </Notice>
            )}
            <ProblemNotice problem={end.problem} />
            {sessions.length === 0 ? (
              <p className="text-muted">No sessions.</p>
            ) : (
              <SessionList
                sessions={sessions}
                endingId={end.isPending ? end.input?.id : undefined}
                onEnd={end.run}
              />
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  )
}
