import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { problemOf, type Problem } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { errorOf, Field, Input } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { dayText } from '../../parts/time.tsx'
import { useDraft } from '../../shell/draft.ts'
import { KeyTeam } from './key-team.tsx'
import { ScopeChoice } from './scope-choice.tsx'
import { isTeamScope, type Scope } from './scopes.ts'

const FIELDS = ['scope', 'teamId', 'displayName', 'expiresAt']

interface Wanted {
  scope: Scope
  teamId: string
  displayName: string
  expiresAt: string
}

const EMPTY: Wanted = { scope: 'user_read', teamId: '', displayName: '', expiresAt: '' }

interface CreateKeyDialogProps {
  onClose: () => void
  onCreated: (key: Schemas['CreatedApiKey']) => void
}

/** Asks for what a new key is to be, and makes it. */
export function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  const draft = useDraft('api-key', EMPTY)
  const create = api.useMutation('post', '/ui/api-keys', {
    onSuccess(key) {
      draft.discard()
      onCreated(key)
    },
  })
  const problem = create.error === null ? undefined : refusalShown(problemOf(create.error))
  const wrong = problem?.violations ?? []
  const { scope, teamId, displayName, expiresAt } = draft.value
  const change = (patch: Partial<Wanted>): void => draft.set({ ...draft.value, ...patch })
  const send = (): void =>
    create.mutate({
      body: {
        scope,
        teamId: isTeamScope(scope) ? teamId : null,
        displayName,
        expiresAt: expiresAt === '' ? null : expiresAt,
      },
    })
  return (
    <Dialog open onClose={onClose} title="Create key" description="What may a program do with it?">
      <Form label="Create key" problem={problem} fields={FIELDS} onSubmit={send}>
        <ScopeChoice scope={scope} onChange={(one) => change({ scope: one })} />
        {isTeamScope(scope) && (
          <KeyTeam
            teamId={teamId}
            onChange={(one) => change({ teamId: one })}
            error={errorOf(wrong, 'teamId')}
          />
        )}
        <NameField
          displayName={displayName}
          onChange={(one) => change({ displayName: one })}
          error={errorOf(wrong, 'displayName')}
        />
        <LastDayField
          expiresAt={expiresAt}
          onChange={(one) => change({ expiresAt: one })}
          error={errorOf(wrong, 'expiresAt')}
        />
        <Button type="submit" look="primary" busy={create.isPending} className="justify-self-start">
          Create key
        </Button>
      </Form>
    </Dialog>
  )
}

interface OneFieldProps {
  onChange: (value: string) => void
  error: string | undefined
}

function NameField({ displayName, onChange, error }: OneFieldProps & { displayName: string }) {
  return (
    <Field
      label="Name"
      hint="What will use it, and where: “Nightly deploy, GitHub Actions”."
      error={error}
    >
      {(control) => (
        <Input
          {...control}
          required
          maxLength={200}
          autoComplete="off"
          value={displayName}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

function LastDayField({ expiresAt, onChange, error }: OneFieldProps & { expiresAt: string }) {
  const [today] = useState(() => new Date().toISOString().slice(0, 10))
  return (
    <Field label="Last day" optional hint={expiryText(expiresAt)} error={error}>
      {(control) => (
        <Input
          {...control}
          type="date"
          className="max-w-44"
          min={today}
          value={expiresAt}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

function expiryText(expiresAt: string): string {
  if (expiresAt === '') return 'Blank: the key never expires. It cannot be changed later.'
  return `Valid through the end of ${dayText(expiresAt)}, UTC. It cannot be changed later.`
}

function refusalShown(problem: Problem) {
  const { status, title, message, violations } = problem
  if (status !== 409) return { title, message, violations }
  return {
    title: 'The organization has no key left to give',
    message: `${message} Delete a key that is expired or no longer used, then create this one: what you typed here is kept.`,
    violations: [],
  }
}
