import type { Problem } from '../../api/problem.ts'
import { may, useSession } from '../../api/session.ts'
import { useTeams } from '../../api/teams.ts'
import { Button } from '../../parts/button.tsx'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { Link } from '../../parts/link.tsx'
import { Notice, ProblemNotice } from '../../parts/notice.tsx'
import { Facts } from '../../parts/page.tsx'
import { messageFor } from '../../parts/schema-form-values.ts'
import { paths, withQuery } from '../../paths.ts'
import { toTeamChoices } from '../../shell/team-choices.ts'
import {
  getName,
  NAME_CHARACTERS_MAX,
  STEPS,
  findStep,
  type StepName,
} from './integration-draft.ts'
import { ScheduleField } from './schedule-field.tsx'
import { connectionFacts, filterFacts, secretFacts, type FactList } from './setup-facts.ts'
import { StepFooter } from './step-footer.tsx'
import { useSaving, type Saving } from './use-saving.ts'
import type { Wizard } from './use-wizard.ts'

/** The name, owner and schedule of the integration, a summary of the rest, and saving. */
export function DetailsStep({ wizard }: { wizard: Wizard }) {
  const { draft, violations, form, source } = wizard
  const saving = useSaving(wizard)
  const isNew = form === undefined
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          label="Name"
          hint="Shown to everyone."
          error={messageFor(violations, 'name')}
          value={getName(draft, source)}
          maxLength={NAME_CHARACTERS_MAX}
          aria-required
          autoComplete="off"
          onChange={(text) => wizard.patch({ name: text }, 'name')}
        />
        <TextField
          label="Id"
          optional={isNew}
          hint={
            isNew
              ? 'Used in URLs and by the API. Leave empty to derive it from the name.'
              : 'The id cannot be changed.'
          }
          error={messageFor(violations, 'externalId')}
          value={draft.externalId}
          readOnly={!isNew}
          autoComplete="off"
          spellCheck={false}
          onChange={(text) => wizard.patch({ externalId: text }, 'externalId')}
        />
        <OwnerField wizard={wizard} />
      </div>
      <ScheduleField wizard={wizard} />
      {draft.schedule.trim() !== '' && (
        <Checkbox
          label="Turn the schedule on"
          hint="If off, it runs only manually."
          checked={draft.enabled}
          onChange={(event) => wizard.patch({ enabled: event.target.checked })}
        />
      )}
      <Summary wizard={wizard} getHref={(step) => getStepHref(form, step)} />
      <SavingProblem saving={saving} wizard={wizard} />
      <StepFooter wizard={wizard}>
        <SaveButtons saving={saving} isNew={isNew} />
      </StepFooter>
    </>
  )
}

function SaveButtons({ saving, isNew }: { saving: Saving; isNew: boolean }) {
  const { isPending, save } = saving
  return isNew ? (
    <>
      <Button look="primary" busy={isPending} onClick={() => save(true)}>
        Create and run
      </Button>
      <Button busy={isPending} onClick={() => save(false)}>
        Create without running
      </Button>
    </>
  ) : (
    <>
      <Button look="primary" busy={isPending} onClick={() => save(false)}>
        Save changes
      </Button>
      <Button busy={isPending} onClick={() => save(true)}>
        Save and run
      </Button>
    </>
  )
}

function SavingProblem({ saving, wizard }: { saving: Saving; wizard: Wizard }) {
  const { problem } = saving
  if (problem === undefined) return null
  if (problem.violations.length > 0) return <Violations wizard={wizard} problem={problem} />
  const isConflict = problem.status === 412
  return (
    <div className="grid gap-2">
      <ProblemNotice problem={problem} />
      {isConflict && (
        <div className="flex flex-wrap gap-2">
          <Button busy={saving.isPending} onClick={saving.saveOver}>
            Overwrite with mine
          </Button>
          <Button onClick={saving.takeTheirs}>Discard my changes</Button>
        </div>
      )}
    </div>
  )
}

function Violations({ wizard: { form }, problem }: { wizard: Wizard; problem: Problem }) {
  return (
    <div role="alert">
      <Notice tone="critical" title="Not saved yet: some settings are invalid">
        <ul className="grid gap-1">
          {problem.violations.map(({ field, message }) => {
            const step = STEPS.find(({ name }) => name === findStep(field))
            return (
              <li key={field}>
                {message}{' '}
                {step !== undefined && (
                  <Link href={getStepHref(form, step.name)}>Go to "{step.title}"</Link>
                )}
              </li>
            )
          })}
        </ul>
      </Notice>
    </div>
  )
}

function getStepHref(form: Wizard['form'], step: StepName): string {
  const base = form === undefined ? paths.newIntegration : paths.editIntegration(form.externalId)
  return withQuery(base, { step })
}

function OwnerField({ wizard }: { wizard: Wizard }) {
  const { draft, violations } = wizard
  const session = useSession()
  const isOwner = session.organization?.role === 'Owner'
  const all = useTeams()
  const own = session.teams.filter(({ id }) => may(session, 'INGESTION_EDIT', id).allowed)
  const teams = (isOwner ? all : own) ?? []
  return (
    <ChoiceField
      label="Owner"
      hint="The team that can change and run it, and that owns its assets by default."
      error={messageFor(violations, 'owningTeamExternalId')}
      value={draft.owner}
      choices={[
        ...(isOwner || draft.owner === ''
          ? [{ value: '', label: 'No team (owners of the organization)' }]
          : []),
        ...toTeamChoices(teams, draft.owner),
      ]}
      onChange={(owner) => wizard.patch({ owner }, 'owningTeamExternalId')}
    />
  )
}

interface SummaryProps {
  wizard: Wizard
  /** Returns the address of a step. */
  getHref: (step: StepName) => string
}

/** The settings of the earlier steps, each with a link to change it. */
function Summary({ wizard, getHref }: SummaryProps) {
  const { source, fields, draft } = wizard
  if (source === undefined) return null
  const connection: FactList = [
    ['Platform', source.title],
    ...connectionFacts(fields, draft.values),
    ...secretFacts(wizard),
  ]
  return (
    <div className="grid gap-4 border-t border-line pt-4">
      <Section title="Connection" href={getHref('connection')} facts={connection} />
      <Section title="Filters" href={getHref('filters')} facts={filterFacts(draft)} />
    </div>
  )
}

interface SectionProps {
  title: string
  href: string
  facts: FactList
}

function Section({ title, href, facts }: SectionProps) {
  return (
    <section className="grid gap-2">
      <header className="flex items-baseline gap-3">
        <h3 className="font-medium">{title}</h3>
        <Link href={href} className="inline-flex min-h-6 items-center text-sm">
          Change<span className="sr-only"> {title.toLowerCase()}</span>
        </Link>
      </header>
      <Facts facts={facts} isAligned />
    </section>
  )
}
