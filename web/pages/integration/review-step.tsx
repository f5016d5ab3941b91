import type { Problem } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { Link } from '../../parts/link.tsx'
import { Notice, ProblemNotice } from '../../parts/notice.tsx'
import { Facts } from '../../parts/page.tsx'
import { paths, withQuery } from '../../paths.ts'
import { scheduleWords } from './cron.ts'
import { askedSecrets, STEPS, stepOf, type StepName } from './integration-draft.ts'
import { connectionFacts, filterFacts, type FactList } from './setup-facts.ts'
import { useSaving, type Saving } from './use-saving.ts'
import type { Wizard } from './use-wizard.ts'

/** All that was typed, once more, before it is saved. */
export function ReviewStep({ wizard }: { wizard: Wizard }) {
  const { draft, form, source } = wizard
  const saving = useSaving(wizard)
  if (source === undefined) return null
  const hasSchedule = draft.schedule.trim() !== ''
  return (
    <>
      <Summary wizard={wizard} step="connection" title="Connection" facts={setupFacts(wizard)} />
      <Summary wizard={wizard} step="filters" title="Filters" facts={filterFacts(draft)} />
      <Summary
        wizard={wizard}
        step="details"
        title="Name and schedule"
        facts={[
          ['Name', draft.name],
          ['Id', draft.externalId === '' ? 'made of the name' : draft.externalId],
          ['Owner', draft.owner === '' ? 'the owners of the organization' : draft.owner],
          ['Runs', `${scheduleWords(draft.schedule)}${hasSchedule ? ` (${draft.timeZone})` : ''}`],
        ]}
      />
      <div className="grid gap-3 border-t border-line pt-4">
        {hasSchedule && (
          <Checkbox
            label="Turn the schedule on"
            hint="Off, it runs when somebody asks for it."
            checked={draft.enabled}
            onChange={(event) => wizard.patch({ enabled: event.target.checked })}
          />
        )}
        <Checkbox
          label="Run now"
          hint="Begins at once, and shows how it goes."
          checked={draft.runsAtOnce}
          onChange={(event) => wizard.patch({ runsAtOnce: event.target.checked })}
        />
      </div>
      <SavingProblem saving={saving} wizard={wizard} />
      <footer className="flex flex-wrap gap-2 border-t border-line pt-4">
        <Button onClick={() => wizard.goTo('details')}>Back</Button>
        <Button look="primary" busy={saving.isPending} onClick={saving.save}>
          {form === undefined ? 'Create the integration' : 'Save the changes'}
        </Button>
      </footer>
    </>
  )
}

function SavingProblem({ saving, wizard }: { saving: Saving; wizard: Wizard }) {
  const { problem } = saving
  if (problem === undefined) return null
  const isOutrun = problem.status === 412
  if (problem.violations.length > 0) return <ToMend wizard={wizard} problem={problem} />
  return (
    <div className="grid gap-2">
      <ProblemNotice problem={problem} />
      {isOutrun && (
        <div className="flex flex-wrap gap-2">
          <Button busy={saving.isPending} onClick={saving.saveOver}>
            Save mine over it
          </Button>
          <Button onClick={saving.takeTheirs}>Discard mine and show theirs</Button>
        </div>
      )}
    </div>
  )
}

function ToMend({ wizard: { form }, problem }: { wizard: Wizard; problem: Problem }) {
  return (
    <div role="alert">
      <Notice tone="critical" title="Nothing is saved yet: something has to be mended">
        <ul className="grid gap-1">
          {problem.violations.map(({ field, message }) => {
            const step = STEPS.find(({ name }) => name === stepOf(field))
            return (
              <li key={field}>
                {message}{' '}
                {step !== undefined && (
                  <Link href={addressOf(form, step.name)}>Go to “{step.title}”</Link>
                )}
              </li>
            )
          })}
        </ul>
      </Notice>
    </div>
  )
}

function addressOf(form: Wizard['form'], step: StepName): string {
  const base = form === undefined ? paths.newIntegration : paths.editIntegration(form.externalId)
  return withQuery(base, { step })
}

interface SummaryProps {
  wizard: Wizard
  step: StepName
  title: string
  facts: FactList
}

function Summary({ wizard: { form }, step, title, facts }: SummaryProps) {
  return (
    <section className="grid gap-2">
      <header className="flex items-baseline gap-3">
        <h3 className="font-medium">{title}</h3>
        <Link href={addressOf(form, step)} className="text-sm">
          Change <span className="sr-only">{title.toLowerCase()}</span>
        </Link>
      </header>
      <Facts facts={facts} isAligned />
    </section>
  )
}

function setupFacts({ source, fields, draft, secrets, form }: Wizard): FactList {
  if (source === undefined) return []
  const { values, secretChoices } = draft
  const known = askedSecrets(source, values, form).map(
    ({ name, title, setAt }): readonly [string, string] => {
      if (secretChoices[name] === 'remove') return [title, 'will be removed']
      if ((secrets[name] ?? '') !== '') return [title, 'will be set']
      return [title, setAt === null ? 'not set' : 'stays as it is']
    },
  )
  return [['Platform', source.title], ...connectionFacts(fields, values), ...known]
}
