import type { Schemas } from '../../api/client.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Facts } from '../../parts/page.tsx'
import { OutsidePage } from '../../shell/outside-page.tsx'

interface TriedSignInProps {
  tried: NonNullable<Schemas['TriedSignIn']>
  /** The page from which the owner came. */
  next: string
}

/** The result of a sign-in that an owner tried: the claims, the matching person and the roles. Nothing was created. */
export function TriedSignIn({ tried, next }: TriedSignInProps) {
  const { outcome, sentence, email, isEmailVerified, person, groups, roles, claims } = tried
  const address =
    email === null ? 'none' : `${email}${isEmailVerified ? ', verified' : ', not verified'}`
  return (
    <OutsidePage
      title="Result of the trial"
      lead="You stay signed in as yourself. Nothing was created."
    >
      <Notice tone={outcome === 'refused' ? 'critical' : 'positive'} title={sentence} />
      <Facts
        facts={[
          ['Person here', person === null ? 'none' : `${person.name} (${person.email})`],
          ['Address at the provider', address],
          ['Groups', groups === null ? 'not all were sent' : groups.join(', ') || 'none'],
          [
            'Roles by groups',
            roles
              .map(({ team, role }) =>
                team === null ? 'Owner of the organization' : `${role} of ${team}`,
              )
              .join(', ') || 'none',
          ],
        ]}
      />
      <details>
        <summary className="cursor-pointer text-sm font-medium">Claims</summary>
        <pre className="mt-2 overflow-x-auto text-sm" tabIndex={0}>
          {claims}
        </pre>
      </details>
      <ButtonLink href={next} look="primary">
        Back to the settings
      </ButtonLink>
    </OutsidePage>
  )
}
