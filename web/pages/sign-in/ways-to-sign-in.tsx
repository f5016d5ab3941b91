import { useRef, useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { findProblem } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Link } from '../../parts/link.tsx'
import { ProblemNotice, Skeleton } from '../../parts/notice.tsx'
import { withQuery } from '../../paths.ts'
import { OrDivider, ProviderButtons } from '../../shell/provider-buttons.tsx'
import { DemoPeople } from './demo-people.tsx'
import { PasswordForm } from './password-form.tsx'

interface WaysToSignInProps {
  /** The page to open afterwards. */
  next: string
  /** The people who can sign in to a demo; empty in any other installation. */
  people: readonly Schemas['DemoPerson'][]
  /** The vanity address of an organization; empty = any. */
  organization: string
  /** The id of the provider to which the page goes at once; empty = none. */
  chosenProvider: string
  /** Whether the page goes to the only provider at once if the rule of the organization requires it. */
  goesOn: boolean
  /** Whether the form for the password is shown in any case. */
  showsPassword: boolean
}

/**
 * The providers and the form for the password. If the providers depend on the address, it is asked first; password
 * managers find both fields in any case.
 */
export function WaysToSignIn(props: WaysToSignInProps) {
  const { organization, people } = props
  const [address, setAddress] = useState<string | undefined>(undefined)
  const first = useOptions(organization === '' ? {} : { organization })
  // A demo lists its people, who have passwords.
  const asksAddress = first.data?.asksAddress === true && people.length === 0
  const later = useOptions({ email: address ?? '' }, asksAddress && address !== undefined)
  const problem = findProblem(first)
  if (problem !== undefined) {
    return <ProblemNotice problem={problem} onRetry={() => void first.refetch()} />
  }
  if (first.data === undefined) return <Skeleton label="Loading the ways to sign in" />
  if (asksAddress && later.data === undefined) {
    return (
      <AddressForm
        problem={findProblem(later)}
        isPending={later.isFetching}
        onSubmit={setAddress}
      />
    )
  }
  const options = later.data ?? first.data
  return (
    <Ways
      {...props}
      options={options}
      address={address}
      onChangeAddress={address === undefined ? undefined : () => setAddress(undefined)}
    />
  )
}

function useOptions(query: { email?: string; organization?: string }, enabled = true) {
  return api.useQuery('get', '/ui/sign-in/options', { params: { query } }, { enabled })
}

interface WaysProps extends WaysToSignInProps {
  options: Schemas['SignInOptions']
  /** The address that was asked first; undefined = it was not. */
  address: string | undefined
  onChangeAddress: (() => void) | undefined
}

function Ways({ options, address, onChangeAddress, ...props }: WaysProps) {
  const { next, people, chosenProvider, goesOn, showsPassword } = props
  const { providers } = options
  const form = useRef<HTMLDivElement>(null)
  const [email, setEmail] = useState(address ?? '')
  const hasPassword = options.password || showsPassword || providers.length === 0
  const only = providers.length === 1 && goesOn && !hasPassword ? providers[0] : undefined
  const chosen = providers.find(({ id }) => id === chosenProvider)
  const choose = (person: string): void => {
    setEmail(person)
    form.current?.querySelector<HTMLInputElement>('input[autocomplete=current-password]')?.focus()
  }
  return (
    <div ref={form} className="grid gap-5">
      {people.length > 0 && hasPassword && (
        <DemoPeople people={people} email={email} onChoose={choose} />
      )}
      {providers.length > 0 && (
        <ProviderButtons providers={providers} next={next} immediate={chosen ?? only} />
      )}
      {providers.length > 0 && hasPassword && <OrDivider />}
      {hasPassword ? (
        <PasswordForm
          email={email}
          onChangeEmail={setEmail}
          onChangeAddress={onChangeAddress}
          next={next}
          takesFocus={providers.length === 0 || address !== undefined}
        />
      ) : (
        <p className="text-sm text-muted">
          Your organization requires this.{' '}
          <Link href={withQuery('/sign-in', { to: next, password: 'yes' })}>
            Sign in with a password
          </Link>{' '}
          if you are an owner with break-glass access.
        </p>
      )}
    </div>
  )
}

interface AddressFormProps {
  problem: Parameters<typeof ProblemNotice>[0]['problem'] | undefined
  isPending: boolean
  onSubmit: (address: string) => void
}

function AddressForm({ problem, isPending, onSubmit }: AddressFormProps) {
  const [email, setEmail] = useState('')
  return (
    <Form label="Sign in" problem={problem} takesFocus onSubmit={() => onSubmit(email.trim())}>
      <TextField
        label="E-mail address"
        field="email"
        type="email"
        required
        autoComplete="username"
        value={email}
        onChange={setEmail}
      />
      {/* Password managers fill in a form that has both fields, and remember the address with the password. */}
      <input
        type="password"
        autoComplete="current-password"
        tabIndex={-1}
        aria-hidden
        className="sr-only"
      />
      <Button type="submit" look="primary" busy={isPending}>
        Continue
      </Button>
    </Form>
  )
}
