import { api } from '../../api/client.ts'
import { findProblem } from '../../api/problem.ts'
import { ProblemNotice, Skeleton } from '../../parts/notice.tsx'
import { paths } from '../../paths.ts'
import { OrDivider, ProviderButtons } from '../../shell/provider-buttons.tsx'
import { AcceptForm, type AcceptFormProps } from './accept-form.tsx'

/** The providers of the inviting organization, and the form for a password unless the organization requires a provider. */
export function WaysToJoin(props: AcceptFormProps) {
  const { token, invitation } = props
  const query = { organization: invitation.vanityUrl }
  const options = api.useQuery('get', '/ui/sign-in/options', { params: { query } })
  const problem = findProblem(options)
  if (problem !== undefined) {
    return <ProblemNotice problem={problem} onRetry={() => void options.refetch()} />
  }
  if (options.data === undefined) return <Skeleton label="Loading the ways to join" />
  const { password, providers } = options.data
  if (providers.length === 0) return <AcceptForm {...props} />
  return (
    <div className="grid gap-5">
      <ProviderButtons providers={providers} next={paths.home} invitation={token} />
      {password ? (
        <>
          <OrDivider />
          <AcceptForm {...props} takesFocus={false} />
        </>
      ) : (
        <p className="user-text text-sm text-muted">
          {invitation.organizationName} requires its sign-in provider. Use your account with the
          address {invitation.email}.
        </p>
      )}
    </div>
  )
}
