import { useState } from 'react'
import { client, readBody, type Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { toChoices } from '../../parts/choices.ts'
import { CodeBlock } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { InputForm, PAIR, type FieldRecord } from '../../parts/form-fields.tsx'
import { Notice, ProblemNotice } from '../../parts/notice.tsx'
import { useAction } from '../../shell/action.ts'
import {
  removesLinks,
  startDraft,
  toConnection,
  toDraft,
  toSettings,
  type ProviderDraft,
  type ProviderTemplate,
} from './provider-templates.ts'
import { ProviderTrial } from './provider-trial.tsx'

type Provider = Schemas['IdentityProvider']

const FIELDS: readonly FieldRecord<keyof ProviderDraft>[] = [
  {
    name: 'name',
    title: 'Name',
    hint: 'Shown on the button "Continue with …".',
    control: { required: true, maxLength: 200, autoComplete: 'off' },
  },
  {
    name: 'issuer',
    title: 'Issuer',
    hint: 'Exactly as the provider writes it.',
    control: { required: true, maxLength: 500, autoComplete: 'off', spellCheck: false },
  },
  {
    name: 'clientId',
    title: 'Client ID',
    row: PAIR,
    control: { required: true, maxLength: 255, autoComplete: 'off', spellCheck: false },
  },
  {
    name: 'clientSecret',
    title: 'Client secret',
    row: PAIR,
    control: { type: 'password', maxLength: 2048, autoComplete: 'new-password' },
  },
  {
    name: 'clientAuthentication',
    kind: 'options',
    title: 'Authentication',
    choices: toChoices([
      ['basic', 'Secret in the header (Basic)'],
      ['post', 'Secret in the form (POST)'],
      ['none', 'No secret'],
    ]),
  },
  {
    name: 'joinRule',
    kind: 'options',
    title: 'Who may join',
    choices: toChoices([
      ['invited', 'Only people who are invited'],
      ['groups', 'People in a mapped group'],
      ['everyone', 'Everyone whose address is in a listed domain'],
    ]),
  },
  {
    name: 'domains',
    kind: 'tags',
    title: 'Domains',
    hint: 'The verified domains whose people it signs in.',
    optional: true,
  },
  {
    name: 'emailTrust',
    kind: 'options',
    title: 'Addresses count as verified',
    choices: toChoices([
      ['claim', 'If the provider confirms each one (email_verified)'],
      ['provider', 'Always, in the listed domains'],
    ]),
  },
  {
    name: 'groupsClaim',
    title: 'Claim with the groups',
    hint: 'A name like groups, or a path like realm_access.roles.',
    optional: true,
    row: PAIR,
    control: { maxLength: 200, autoComplete: 'off', spellCheck: false },
  },
  {
    name: 'sessionHours',
    title: 'Hours of a session',
    row: PAIR,
    control: { required: true, type: 'number', min: 1, max: 168 },
  },
  {
    name: 'subjectClaim',
    kind: 'options',
    title: 'People are identified by',
    choices: toChoices([
      ['sub', 'sub, the standard'],
      ['oid', 'oid, for Microsoft Entra ID'],
    ]),
  },
  {
    name: 'authority',
    kind: 'long-text',
    title: 'Certificate of your own authority',
    hint: 'PEM, only if no public authority signed the certificate of the provider.',
    optional: true,
    control: { rows: 3, spellCheck: false },
  },
  { name: 'signsOut', kind: 'yes-no', title: 'Signing out also signs out of the provider' },
  { name: 'enabled', kind: 'yes-no', title: 'People can sign in with it' },
]

interface ProviderDialogProps {
  onClose: () => void
}

interface ConnectProviderProps extends ProviderDialogProps {
  template: ProviderTemplate
  draft: Schemas['IdentityProviders']['draft']
}

/** The form of a new provider. */
export function ConnectProviderDialog({ template, draft, onClose }: ConnectProviderProps) {
  // The list loads again while the form is open, with another id.
  const [{ id, proof, redirectAddress }] = useState(draft)
  const create = useAction({
    request: (form: ProviderDraft) =>
      client.POST('/ui/identity-providers', { body: { ...toSettings(form), id, proof } }),
    onSuccess: onClose,
    notice: 'Identity provider connected',
    refresh: ['/ui/identity-providers'],
  })
  return (
    <Dialog open onClose={onClose} title={`Connect ${template.title}`}>
      <ol className="mb-4 list-decimal pl-5 text-sm text-muted">
        {template.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <ProviderForm
        id={id}
        redirectAddress={redirectAddress}
        initial={startDraft(template)}
        stored={undefined}
        action="Connect provider"
        sending={create}
      />
    </Dialog>
  )
}

/** The form of a stored provider. */
export function EditProviderDialog({
  provider,
  onClose,
}: ProviderDialogProps & { provider: Provider }) {
  const { id, version, linkCount } = provider
  const save = useAction({
    request: (form: ProviderDraft) =>
      client.PUT('/ui/identity-providers/{id}', {
        params: { path: { id } },
        headers: { 'if-match': `"${version}"` },
        body: {
          ...toSettings(form),
          ...(removesLinks(form, provider) ? { confirmedLinkCount: linkCount } : {}),
        },
      }),
    onSuccess: onClose,
    notice: 'Identity provider saved',
    refresh: ['/ui/identity-providers'],
  })
  return (
    <Dialog open onClose={onClose} title={`Edit ${provider.name}`}>
      <ProviderForm
        id={id}
        redirectAddress={provider.redirectAddress}
        initial={toDraft(provider)}
        stored={provider}
        action="Save provider"
        sending={save}
      />
    </Dialog>
  )
}

interface ProviderFormProps {
  id: string
  redirectAddress: string
  initial: ProviderDraft
  /** The provider as it is stored; undefined = it is new. */
  stored: Provider | undefined
  action: string
  sending: ReturnType<typeof useAction<unknown, ProviderDraft>>
}

function ProviderForm({
  id,
  redirectAddress,
  initial,
  stored,
  action,
  sending,
}: ProviderFormProps) {
  const [form, setForm] = useState(initial)
  const trial = useAction({
    request: () =>
      readBody(
        client.POST('/ui/identity-providers/test', {
          body: { id, connection: toConnection(form) },
        }),
      ),
  })
  const hasNoSecret = form.clientAuthentication === 'none'
  const secretSetAt = stored?.secretSetAt ?? null
  const secretHint =
    secretSetAt === null ? undefined : `Set on ${secretSetAt.slice(0, 10)}. Empty keeps it.`
  return (
    <InputForm
      label={action}
      fields={FIELDS}
      values={form}
      onChange={setForm}
      overrides={{
        clientSecret: { isHidden: hasNoSecret, hint: secretHint },
        groupsClaim: { optional: form.joinRule !== 'groups' },
      }}
      action={action}
      sending={sending}
      onSubmit={() => sending.run(form)}
    >
      <div className="grid gap-1.5">
        <p className="text-sm font-medium">Redirect address to register at the provider</p>
        <CodeBlock text={redirectAddress} label="Redirect address" />
      </div>
      {stored !== undefined && stored.linkCount > 0 && removesLinks(form, stored) && (
        <Notice
          tone="caution"
          title={`Saving removes the links of ${stored.linkCount} ${stored.linkCount === 1 ? 'person' : 'people'} and ends their sessions`}
        >
          Another issuer, client ID or authentication identifies people in another way. They are
          linked again when they sign in with a verified address.
        </Notice>
      )}
      <div>
        <Button busy={trial.isPending} onClick={() => trial.run()}>
          Test provider
        </Button>
      </div>
      <div aria-live="polite" className="grid gap-2">
        <ProblemNotice problem={trial.problem} />
        {trial.result !== undefined && <ProviderTrial findings={trial.result.findings} />}
      </div>
    </InputForm>
  )
}
