import { useQuery } from '@tanstack/react-query'
import { client, type Schemas } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { Checkbox, RadioGroup } from '../../parts/field.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { useSettingEditing, useSettingSaving } from './setting-editing.ts'
import { SettingForm } from './setting-form.tsx'
import { signInRuleQuery, toCondition, type TaggedSetting } from './setting-query.ts'

type SignInRule = Schemas['SignInRule']

const PATH = '/ui/sign-in-rule'

/** Whether members may sign in in any way or only with a provider, and the break-glass owners. */
export function SignInRulePanel() {
  const { organization } = useSession()
  const query = useQuery(signInRuleQuery(organization?.id))
  return (
    <QueryPanel title="Sign-in rule" query={query} skeleton={{ lines: 4 }}>
      {(stored) => <RuleForm key={organization?.id} stored={stored} />}
    </QueryPanel>
  )
}

interface RuleDraft {
  rule: SignInRule['rule']
  /** Ids of owners, in order, so that equal choices are equal. */
  breakGlass: readonly string[]
}

function toDraft({ value: { rule, breakGlass } }: TaggedSetting<SignInRule>): RuleDraft {
  return { rule, breakGlass: breakGlass.map(({ userId }) => userId).toSorted() }
}

function RuleForm({ stored }: { stored: TaggedSetting<SignInRule> }) {
  const editing = useSettingEditing(stored, toDraft)
  const { form: draft, change, base } = editing
  const saving = useSettingSaving({
    request: () =>
      client.PUT(PATH, {
        headers: toCondition(base.etag),
        body: { rule: draft.rule, breakGlass: [...draft.breakGlass] },
      }),
    notice: 'Sign-in rule changed',
    data: [{ queryKey: ['setting', PATH] }],
    editing,
  })
  const { rule, owners, signedInWithProvider } = stored.value
  const needsProvider = rule === 'any' && !signedInWithProvider
  return (
    <SettingForm
      label="Sign-in rule"
      fields={['rule', 'breakGlass']}
      editing={editing}
      saving={saving}
      reason={undefined}
      saveLabel="Save sign-in rule"
    >
      <RadioGroup
        label="Members sign in"
        name="sign-in-rule"
        value={draft.rule}
        onChange={(value) => change({ ...draft, rule: value })}
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
      <BreakGlassField
        owners={owners}
        value={draft.breakGlass}
        onChange={(breakGlass) => change({ ...draft, breakGlass: breakGlass.toSorted() })}
      />
    </SettingForm>
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
