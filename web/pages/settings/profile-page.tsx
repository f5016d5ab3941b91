import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, readBody } from '../../api/client.ts'
import type { Problem } from '../../api/problem.ts'
import { sessionQuery, useSession } from '../../api/session.ts'
import { waitText } from '../../api/wait-text.ts'
import { TextField } from '../../parts/field.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { Link } from '../../parts/link.tsx'
import { Facts, Panel } from '../../parts/page.tsx'
import { NewPasswordField, PasswordField } from '../../parts/password.tsx'
import { paths } from '../../paths.ts'
import { useAction } from '../../shell/action.ts'
import { describeAccountLock } from './account-lock.ts'
import { SessionsPanel } from './sessions-panel.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { SignInProvidersPanel } from './sign-in-providers-panel.tsx'

/** The person's name, roles, password and sessions. */
export function ProfilePage() {
  const lock = describeAccountLock(useSession())
  return (
    <SettingsFrame at={paths.profile} width="reading">
      {lock === undefined ? <NamePanel /> : <LockedPanel lock={lock} />}
      <RolesPanel />
      {lock === undefined && <PasswordPanel />}
      <SignInProvidersPanel />
      <SessionsPanel />
    </SettingsFrame>
  )
}

// The name and the address of a person who cannot change them here.
function LockedPanel({ lock }: { lock: string }) {
  const { user } = useSession()
  return (
    <Panel title="Profile">
      <div className="grid gap-4">
        <Facts
          facts={[
            ['Name', user.name],
            ['E-mail address', user.email],
          ]}
        />
        <p className="user-text text-muted">{lock}</p>
      </div>
    </Panel>
  )
}

function NamePanel() {
  const { user } = useSession()
  const queries = useQueryClient()
  const [name, setName] = useState(user.name)
  const rename = useAction({
    request: () => readBody(client.PUT('/ui/profile', { body: { name } })),
    onSuccess(session) {
      queries.setQueryData(sessionQuery.queryKey, session)
      setName(session.user.name)
    },
    notice: 'Name changed',
    refresh: 'everything',
  })
  const unchanged = name.trim() === user.name ? 'The name has not changed.' : undefined
  return (
    <Panel title="Profile">
      <Form label="Profile" problem={rename.problem} fields={['name']} onSubmit={rename.run}>
        <TextField
          label="Name"
          hint="Shown to everyone, next to your changes."
          field="name"
          required
          autoComplete="name"
          value={name}
          onChange={setName}
        />
        <Facts facts={[['E-mail address', user.email]]} />
        <SubmitButton busy={rename.isPending} reason={unchanged}>
          Change name
        </SubmitButton>
      </Form>
    </Panel>
  )
}

function RolesPanel() {
  const { teams, organization } = useSession()
  if (organization === null) return null
  return (
    <Panel title="Your roles" marks={organization.name}>
      {teams.length === 0 ? (
        <p className="text-muted">
          You are {organization.role === 'Owner' ? 'an owner' : 'a member'} of the organization and
          have no role in a team. The owner of a team can add you on the page of the team.
        </p>
      ) : (
        <ul className="grid gap-1">
          {teams.map(({ id, name, roles }) => (
            <li key={id} className="user-text">
              <Link href={paths.team(id)}>{name}</Link>{' '}
              <span className="text-muted">{roles.join(', ')}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

const FIELDS = ['currentPassword', 'newPassword']

/** The form that changes the person's password. */
function PasswordPanel() {
  const { user } = useSession()
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const change = useAction({
    request: () => client.POST('/ui/password', { body: { currentPassword, newPassword } }),
    onSuccess() {
      setCurrent('')
      setNew('')
    },
    notice: 'Password changed. Your other sessions have ended.',
  })
  const problem = change.problem && describeProblem(change.problem)
  return (
    <Panel title="Password">
      <Form label="Change password" problem={problem} fields={FIELDS} onSubmit={change.run}>
        {/* Password managers change the password of this address. */}
        <input type="email" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordField
          label="Current password"
          value={currentPassword}
          onChange={setCurrent}
          field="currentPassword"
        />
        <NewPasswordField
          label="New password"
          value={newPassword}
          onChange={setNew}
          known={[user.name, user.email]}
          field="newPassword"
        />
        <p className="text-sm text-muted">
          You stay signed in here and are signed out in every other browser.
        </p>
        <SubmitButton busy={change.isPending}>Change password</SubmitButton>
      </Form>
    </Panel>
  )
}

function describeProblem(problem: Problem) {
  const { status, title, message, violations, retryAfterSeconds } = problem
  if (status !== 429 || retryAfterSeconds === undefined) return { title, message, violations }
  return {
    title: 'Too many attempts',
    message: `Try again in ${waitText(retryAfterSeconds)}. Until then, even the correct password is rejected.`,
    violations: [],
  }
}
