import { ChevronRight } from 'lucide-react'
import { SecretField } from '../../parts/schema-form-secret.tsx'
import { SchemaForm } from '../../parts/schema-form.tsx'
import { messageFor } from '../../parts/schema-form-values.ts'
import {
  askedFields,
  askedSecrets,
  changedConnection,
  type KnownSecret,
} from './integration-draft.ts'
import { StepFooter } from './step-footer.tsx'
import type { Wizard } from './use-wizard.ts'

/** Where the source is, and as whom to sign in there. */
export function ConnectionStep({ wizard }: { wizard: Wizard }) {
  const { source, fields, draft, form } = wizard
  if (source === undefined) return null
  const asked = askedSecrets(source, draft.values, form)
  const rareSecrets = asked.filter(({ isRare }) => isRare)
  const hasRare =
    rareSecrets.length > 0 || askedFields(fields, draft.values).some(({ isRare }) => isRare)
  return (
    <>
      <Fields wizard={wizard} rare={false} />
      <Secrets wizard={wizard} secrets={asked.filter(({ isRare }) => !isRare)} />
      {hasRare && (
        <details
          className="group border-t border-line pt-4"
          open={isRareNeeded(wizard, rareSecrets) || undefined}
        >
          <summary className="flex w-fit items-center gap-1.5 font-medium">
            <ChevronRight
              size={14}
              aria-hidden
              className="transition-transform group-open:rotate-90"
            />
            More settings
          </summary>
          <div className="mt-4 grid gap-4">
            <Fields wizard={wizard} rare />
            <Secrets wizard={wizard} secrets={rareSecrets} />
          </div>
        </details>
      )}
      <StepFooter wizard={wizard} next="Continue to the test" />
    </>
  )
}

// What is wrong, or set, is not hidden.
function isRareNeeded({ fields, draft, violations }: Wizard, secrets: KnownSecret[]): boolean {
  const isFieldNeeded = fields.some(({ name, isRare, usual }) => {
    const value = draft.values[name]
    const isUsual = value === '' || String(value) === String(usual)
    const isWrong = messageFor(violations, `configuration.${name}`) !== undefined
    return isRare && (!isUsual || isWrong)
  })
  const isSecretNeeded = secrets.some(
    ({ name, setAt }) => setAt !== null || messageFor(violations, `secrets.${name}`) !== undefined,
  )
  return isFieldNeeded || isSecretNeeded
}

function Fields({ wizard, rare }: { wizard: Wizard; rare: boolean }) {
  return (
    <SchemaForm
      fields={wizard.fields.filter(({ isRare }) => isRare === rare)}
      values={wizard.draft.values}
      onChange={wizard.setValue}
      violations={wizard.violations}
      path="configuration"
    />
  )
}

interface SecretsProps {
  wizard: Wizard
  secrets: readonly KnownSecret[]
}

function Secrets({ wizard, secrets: shown }: SecretsProps) {
  const { source, fields, draft, secrets, violations, form } = wizard
  if (source === undefined) return null
  const changed = changedConnection(source, fields, draft.values, form)
  const askedBecause =
    changed.length === 0
      ? undefined
      : `Asked again because this changed: ${changed.join(', ')}. A stored secret is sent nowhere else than where it was meant for.`
  return shown.map(({ name, title, required, multiline, setAt }) => {
    const value = secrets[name] ?? ''
    return (
      <SecretField
        key={name}
        title={title}
        required={required}
        multiline={multiline}
        setAt={setAt}
        choice={draft.secretChoices[name] ?? 'keep'}
        onChoose={(choice) => wizard.chooseSecret(name, choice)}
        value={value}
        onChange={(typed) => wizard.setSecret(name, typed)}
        error={messageFor(violations, `secrets.${name}`)}
        askedBecause={setAt === null ? undefined : askedBecause}
        isLost={value === '' && draft.typedSecrets.includes(name)}
      />
    )
  })
}
