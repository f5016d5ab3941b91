import { useQuery } from '@tanstack/react-query'
import { client, readBody } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { exactTime } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { LinkPage } from '../../shell/link-page.tsx'
import { OutsidePage } from '../../shell/outside-page.tsx'
import type { Invitation } from './accept-form.tsx'
import { WaysToJoin } from './ways-to-join.tsx'

/** Shows an invitation and lets the person join. */
export function InvitationPage() {
  return (
    <LinkPage look={look} title="Invitation" invalid={<NotValid />}>
      {(invitation, token) => <Invited token={token} invitation={invitation} />}
    </LinkPage>
  )
}

async function look(token: string): Promise<Invitation> {
  return await readBody(client.POST('/ui/invitations/look', { body: { token } }))
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
      <WaysToJoin token={token} invitation={invitation} isSignedIn={isSignedIn} />
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
