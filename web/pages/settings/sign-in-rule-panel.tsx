import { useState } from 'react'
import { api, client, readBody, type Schemas } from '../../api/client.ts'
import { Checkbox, RadioGroup } from '../../parts/field.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { useAction } from '../../shell/action.ts'

type SignInRule = Schemas['SignInRule']

/** Whether members may sign in in any way or only with a provider, and the break-glass owners. */
export function SignInRulePanel() {
  const query = api.useQuery('get', '/ui/sign-in-rule')
  return (
    <QueryPanel title="Sign-in rule" query={query} skeleton={{ lines: 4 }}>
      {/* A saved change starts the form again. */}
      {(rule) => <RuleForm key={JSON.stringify([rule.rule, rule.breakGlass])} stored={rule} />}
    </QueryPanel>
  )
}

function RuleForm({ stored }: { stored: SignInRule }) {
  const before = stored.breakGlass.map(({ userId }) => userId)
  const [rule, setRule] = useState(stored.rule)
  const [breakGlass, setBreakGlass] = useState<readonly string[]>(before)
  const save = useAction({
    request: () =>
      readBody(client.PUT('/ui/sign-in-rule', { body: { rule, breakGlass: [...breakGlass] } })),
    notice: 'Sign-in rule changed',
    refresh: ['/ui/sign-in-rule'],
  })
  const isSame = rule === stored.rule && breakGlass.toSorted().join() === before.toSorted().join()
  const needsProvider = stored.rule === 'any' && !stored.signedInWithProvider
  return (
    <Form
      label="Sign-in rule"
      problem={save.problem}
      fields={['rule', 'breakGlass']}
      onSubmit={save.run}
    >
      <RadioGroup
        label="Members sign in"
        name="sign-in-rule"
        value={rule}
        onChange={setRule}
        options={[
          { value: 'any', label: 'In any way', hint: 'With a password or with a provider.' },
          {
            value: 'provider',
            label: 'Only with a provider',
            hint: 'Other sessions stop acting in this organization within a second. API keys go on.',
            reason: needsProvider
              ? 'Sign in with the provider first, which shows that it works.'
              : undefined,
          },
        ]}
      />
      <BreakGlassField owners={stored.owners} value={breakGlass} onChange={setBreakGlass} />
      <SubmitButton busy={save.isPending} reason={isSame ? 'Nothing has changed.' : undefined}>
        Save sign-in rule
      </SubmitButton>
    </Form>
  )
}

interface BreakGlassFieldProps {
  owners: SignInRule['owners']
  /** The ids of the chosen owners. */
  value: readonly string[]
  onChange: (value: readonly string[]) => void
}

function BreakGlassField({ owners, value, onChange }: BreakGlassFieldProps) {
  return (
    <fieldset className="grid gap-2.5">
      <legend className="mb-1.5 text-sm font-medium">Break-glass owners</legend>
      <p className="text-sm text-muted">
        They may sign in with a password if the provider is away. Owners see each use in the
        activity.
      </p>
      {owners.map(({ userId, name, email, hasPassword }) => (
        <Checkbox
          key={userId}
          label={<span className="user-text">{name}</span>}
          hint={hasPassword ? email : `${email}, who has no password`}
          disabled={!hasPassword && !value.includes(userId)}
          checked={value.includes(userId)}
          onChange={({ target }) =>
            onChange(target.checked ? [...value, userId] : value.filter((one) => one !== userId))
          }
        />
      ))}
    </fieldset>
  )
}
