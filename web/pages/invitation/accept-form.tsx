import { useState } from 'react'
import { client, readBody, type Answer } from '../../api/client.ts'
import type { Problem } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { RadioGroup } from '../../parts/field.tsx'
import { FormFields, type FieldRecord } from '../../parts/form-fields.tsx'
import { Form } from '../../parts/form.tsx'
import { NewPasswordField, PasswordField } from '../../parts/password.tsx'
import { paths } from '../../paths.ts'
import { useAction } from '../../shell/action.ts'
import { useDraft } from '../../shell/draft.ts'
import { useEnter } from '../../shell/enter.ts'

/** An open invitation. */
export type Invitation = Answer<'/ui/invitations/look', 'post'>

type Account = 'new' | 'existing'

const ACCOUNTS = [
  { value: 'new', label: 'Create an account' },
  {
    value: 'existing',
    label: 'Use my account',
    hint: 'You have one in another organization of this installation.',
  },
] as const

const FIELDS = ['name', 'password']

const NAME: readonly FieldRecord<'name'>[] = [
  {
    name: 'name',
    title: 'Your name',
    hint: 'Shown to everyone.',
    control: { required: true, autoComplete: 'name' },
  },
]

/** The invitation that a person accepts. */
export interface AcceptFormProps {
  token: string
  invitation: Invitation
  /** Whether this browser is signed in with the address of the invitation. */
  isSignedIn: boolean
  /** Whether the form is the first thing to use on the page. */
  takesFocus?: boolean
}

/**
 * Joins with a new account or with the password of an existing one. Both are always offered, so that an
 * invitation does not reveal whether an address has an account.
 */
export function AcceptForm({ token, invitation, isSignedIn, takesFocus = true }: AcceptFormProps) {
  const { email, organizationName } = invitation
  const enter = useEnter()
  const name = useDraft(`invitation:${email}`, '')
  const [password, setPassword] = useState('')
  const [chosen, setChosen] = useState<Account | undefined>(undefined)
  const account = chosen ?? (isSignedIn ? 'existing' : 'new')
  const joiner = account === 'existing' ? {} : { name: name.value }
  const accept = useAction({
    request: () =>
      readBody(client.POST('/ui/invitations/accept', { body: { token, password, ...joiner } })),
    onSuccess(session) {
      name.discard()
      enter(session, session.teams.length === 0 ? paths.teamsToJoin : paths.home)
    },
  })
  const problem = accept.problem && describeProblem(accept.problem, account)
  const choose = (choice: Account): void => {
    accept.reset()
    setPassword('')
    setChosen(choice)
  }
  const frame = { problem, fields: FIELDS, takesFocus }
  const typed = { field: 'password', value: password, onChange: setPassword }
  return (
    <Form label="Join" {...frame} onSubmit={accept.run}>
      {/* Password managers save the password under this address. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <RadioGroup
        label="Your account"
        isLabelHidden
        name="account"
        value={account}
        options={ACCOUNTS}
        onChange={choose}
      />
      {account === 'existing' ? (
        <PasswordField label="Your password" {...typed} />
      ) : (
        <>
          <FormFields
            fields={NAME}
            values={{ name: name.value }}
            onChange={(next) => name.set(next.name)}
          />
          <NewPasswordField
            label="Choose a password"
            {...typed}
            known={[email, name.value, organizationName]}
          />
        </>
      )}
      <Button type="submit" look="primary" busy={accept.isPending}>
        Join
      </Button>
    </Form>
  )
}

function describeProblem(problem: Problem, account: Account) {
  const { status, title, message, violations } = problem
  if (status === 401 && account === 'existing') {
    const detail = 'This is not the password of an account with this address.'
    return {
      title: 'Wrong password',
      message: detail,
      violations: [{ field: 'password', message: detail }],
    }
  }
  if (status === 404) {
    return {
      title: 'This invitation is no longer valid',
      message: 'It was used, replaced or revoked. Ask for a new link.',
      violations: [],
    }
  }
  return { title, message, violations }
}
