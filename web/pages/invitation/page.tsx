import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import { sessionQuery } from '../../api/session.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Notice, ProblemNotice, Skeleton } from '../../parts/notice.tsx'
import { exactTime } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { useLinkToken } from '../../shell/link-token.ts'
import { OutsidePage } from '../../shell/outside-page.tsx'
import { AcceptForm, type Invitation } from './accept-form.tsx'

/** Shows an invitation and lets the person join. */
export function InvitationPage() {
  const token = useLinkToken()
  const { mutate, data, error } = api.useMutation('post', '/ui/invitations/look')
  useEffect(() => {
    if (token !== undefined) mutate({ body: { token } })
  }, [token, mutate])
  if (token === undefined) return <NotValid />
  if (error !== null) {
    const problem = toProblem(error)
    if (problem.status === 404) return <NotValid />
    return (
      <OutsidePage title="Invitation not loaded">
        <ProblemNotice problem={problem} onRetry={() => mutate({ body: { token } })} />
      </OutsidePage>
    )
  }
  if (data === undefined) {
    return (
      <OutsidePage title="Invitation">
        <Skeleton label="Loading the invitation" />
      </OutsidePage>
    )
  }
  return <Invited token={token} invitation={data} />
}

function Invited({ token, invitation }: { token: string; invitation: Invitation }) {
  const { organizationName, email, role, invitedBy, expiresAt } = invitation
  const session = useQuery(sessionQuery)
  const other = session.data?.user.email
  const isSignedIn = other?.toLowerCase() === email.toLowerCase()
  return (
    <OutsidePage
      title={`Join ${organizationName}`}
      lead={`${invitedBy} invited ${email} as ${role === 'Owner' ? 'an owner' : 'a member'}.`}
      foot={`The invitation works once, until ${exactTime(expiresAt)}.`}
    >
      {other !== undefined && !isSignedIn && (
        <Notice tone="caution" title={`This browser is signed in as ${other}`}>
          Joining signs that account out and continues as {email}.
        </Notice>
      )}
      <AcceptForm token={token} invitation={invitation} isSignedIn={isSignedIn} />
    </OutsidePage>
  )
}

function NotValid() {
  return (
    <OutsidePage
      title="This invitation is not valid"
      lead="An invitation works once, for seven days. This one was used, replaced by a newer one or revoked, has expired, or its link is incomplete."
    >
      <p>Ask the person who invited you for a new link. If you have already joined, sign in.</p>
      <ButtonLink href={paths.signIn()} look="primary">
        Sign in
      </ButtonLink>
    </OutsidePage>
  )
}
