import { ChevronRight, PlugZap } from 'lucide-react'
import { Button } from '../../parts/button.tsx'
import { NewTabLink } from '../../parts/link.tsx'
import { Notice, ProblemNotice, Skeleton } from '../../parts/notice.tsx'
import { SecretField } from '../../parts/schema-form-secret.tsx'
import { SchemaForm } from '../../parts/schema-form.tsx'
import { messageFor } from '../../parts/schema-form-values.ts'
import {
  askedFields,
  askedSecrets,
  changedConnection,
  type KnownSecret,
} from './integration-draft.ts'
import { ConnectionResult } from './finding-list.tsx'
import { StepFooter } from './step-footer.tsx'
import { useFix, useTestAndContinue } from './use-fix.ts'
import type { Trials } from './use-trials.ts'
import type { Wizard } from './use-wizard.ts'

/** The settings of the connection, and its test. */
export function ConnectionStep({ wizard, trials }: { wizard: Wizard; trials: Trials }) {
  const { source, fields, draft, form } = wizard
  if (source === undefined) return null
  const asked = askedSecrets(source, draft.values, form)
  const rareSecrets = asked.filter(({ isRare }) => isRare)
  const hasRare =
    rareSecrets.length > 0 || askedFields(fields, draft.values).some(({ isRare }) => isRare)
  return (
    <>
      {source.guide !== null && <Guide title={source.title} href={source.guide} />}
      <Fields wizard={wizard} rare={false} />
      <Secrets wizard={wizard} secrets={asked.filter(({ isRare }) => !isRare)} />
      {hasRare && (
        <details
          className="group border-t border-line pt-4"
          open={isRareNeeded(wizard, rareSecrets) || undefined}
        >
          <summary className="flex min-h-6 w-fit items-center gap-1.5 font-medium">
            <ChevronRight
              size={14}
              aria-hidden
              className="transition-transform group-open:rotate-90 motion-reduce:transition-none"
            />
            More settings
          </summary>
          <div className="mt-4 grid gap-4">
            <Fields wizard={wizard} rare />
            <Secrets wizard={wizard} secrets={rareSecrets} />
          </div>
        </details>
      )}
      <ConnectionTest wizard={wizard} trials={trials} />
    </>
  )
}

function ConnectionTest({ wizard, trials }: { wizard: Wizard; trials: Trials }) {
  const { result, isOld, isPending, problem } = trials.test
  const fix = useFix(wizard, trials)
  const testAndContinue = useTestAndContinue(wizard, trials)
  const isFailed = result?.ok === false || problem !== undefined
  return (
    <>
      <div aria-live="polite" className="grid gap-3">
        {isPending && <Skeleton lines={3} label="Testing the connection" isFlush />}
        {!isPending && <ProblemNotice problem={problem} />}
        {!isPending && problem === undefined && result !== undefined && (
          <>
            {isOld && <Notice tone="caution" title="Settings changed since this test" />}
            <ConnectionResult result={result} onFix={fix} />
          </>
        )}
      </div>
      <StepFooter wizard={wizard}>
        <Button
          look="primary"
          icon={PlugZap}
          busy={isPending}
          onClick={() => wizard.checkStep() && testAndContinue()}
        >
          Test and continue
        </Button>
        {isFailed && !isPending && <Button onClick={wizard.goOn}>Continue without a test</Button>}
        <span className="text-sm text-muted">Takes up to ten seconds. Nothing is saved yet.</span>
      </StepFooter>
    </>
  )
}

function Guide({ title, href }: { title: string; href: string }) {
  return (
    <p className="text-muted">
      <NewTabLink href={href}>Guide to {title}</NewTabLink>: the smallest grants, what is read, and
      what a run costs.
    </p>
  )
}

// Settings that are invalid, or not the default, are visible.
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
      : `Enter it again because ${changed.join(', ')} changed. A stored secret is never sent to another destination.`
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
