import { api } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { toChoices } from '../../parts/choices.ts'
import { Field, Input } from '../../parts/field.tsx'
import { messageFor } from '../../parts/schema-form-values.ts'
import { useSettled } from '../../parts/settled.ts'
import {
  formatCron,
  parseCron,
  WEEKDAYS,
  type SchedulePlan,
  type Rhythm,
  timeInZone,
} from './cron.ts'
import type { Wizard } from './use-wizard.ts'

const RHYTHMS: readonly (readonly [Rhythm, string])[] = [
  ['hand', 'Manually'],
  ['hourly', 'Every hour'],
  ['daily', 'Every day'],
  ['weekdays', 'Monday to Friday'],
  ['weekly', 'Every week'],
  ['cron', 'Cron expression'],
]

/** The schedule of the integration, with the next three runs. */
export function ScheduleField({ wizard }: { wizard: Wizard }) {
  const { draft } = wizard
  const plan = readPlan(draft.schedule, draft.writesCron)
  const change = (next: SchedulePlan): void =>
    wizard.patch(
      { schedule: formatCron(next, draft.schedule), writesCron: next.rhythm === 'cron' },
      'scheduleExpression',
    )
  return (
    <fieldset className="grid gap-4 border-t border-line pt-4">
      <legend className="float-left mb-1 w-full font-medium">Schedule</legend>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <ChoiceField
          label="Frequency"
          value={plan.rhythm}
          choices={toChoices(RHYTHMS)}
          onChange={(value) => {
            const [rhythm] = RHYTHMS.find(([one]) => one === value) ?? []
            if (rhythm !== undefined) change({ ...plan, rhythm })
          }}
        />
        <TimeFields plan={plan} onChange={change} />
        {plan.rhythm === 'cron' && <CronField wizard={wizard} />}
        {plan.rhythm !== 'hand' && <ZoneField wizard={wizard} />}
      </div>
      {plan.rhythm === 'hand' ? (
        <p className="text-muted">Runs only when a person or a program starts it.</p>
      ) : (
        <NextTimes expression={draft.schedule} timeZone={draft.timeZone} />
      )}
    </fieldset>
  )
}

function readPlan(expression: string, writesCron: boolean): SchedulePlan {
  const plan = parseCron(expression)
  return writesCron ? { ...plan, rhythm: 'cron' } : plan
}

function TimeFields({
  plan,
  onChange,
}: {
  plan: SchedulePlan
  onChange: (plan: SchedulePlan) => void
}) {
  const hasTime = plan.rhythm === 'daily' || plan.rhythm === 'weekdays' || plan.rhythm === 'weekly'
  return (
    <>
      {plan.rhythm === 'weekly' && (
        <ChoiceField
          label="On"
          value={String(plan.weekday)}
          choices={toChoices(WEEKDAYS.map((day, number) => [String(number), day]))}
          onChange={(weekday) => onChange({ ...plan, weekday: Number(weekday) })}
        />
      )}
      {hasTime && (
        <Field label="At">
          {(control) => (
            <Input
              {...control}
              type="time"
              value={plan.time}
              onChange={(event) => {
                // An incomplete time is empty.
                if (event.target.value !== '') onChange({ ...plan, time: event.target.value })
              }}
            />
          )}
        </Field>
      )}
    </>
  )
}

function CronField({ wizard }: { wizard: Wizard }) {
  const { draft, violations } = wizard
  return (
    <Field
      label="Cron expression"
      hint="Minute, hour, day, month and weekday; or six fields with seconds first, as in Quartz."
      error={messageFor(violations, 'scheduleExpression')}
    >
      {(control) => (
        <Input
          {...control}
          className="font-mono"
          value={draft.schedule}
          placeholder="0 6 * * *"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => wizard.patch({ schedule: event.target.value }, 'scheduleExpression')}
        />
      )}
    </Field>
  )
}

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

function ZoneField({ wizard }: { wizard: Wizard }) {
  const { draft, violations } = wizard
  const zones = ZONES.includes(draft.timeZone) ? ZONES : [draft.timeZone, ...ZONES]
  return (
    <ChoiceField
      label="Time zone"
      error={messageFor(violations, 'timeZone')}
      value={draft.timeZone}
      choices={zones.map((zone) => ({
        value: zone,
        label: zone.replaceAll('_', ' '),
        group: zone.includes('/') ? zone.slice(0, zone.indexOf('/')) : 'UTC',
      }))}
      onChange={(timeZone) => wizard.patch({ timeZone }, 'timeZone')}
    />
  )
}

const ASK_AFTER_MS = 300

function NextTimes({ expression, timeZone }: { expression: string; timeZone: string }) {
  const settled = useSettled(expression.trim(), ASK_AFTER_MS)
  const query = api.useQuery(
    'post',
    '/ui/integrations/schedule',
    { body: { scheduleExpression: settled, timeZone } },
    { enabled: settled !== '', retry: false },
  )
  const message = query.error === null ? undefined : toProblem(query.error)
  return (
    <div aria-live="polite" className="min-h-11">
      {settled === '' && <p className="text-muted">Enter an expression to see the next runs.</p>}
      {message !== undefined && (
        <p className="user-text text-critical">
          {message.violations[0]?.message ?? message.message}
        </p>
      )}
      {message === undefined && query.data !== undefined && (
        <>
          <p className="text-muted">Next runs ({timeZone}):</p>
          <ul className="flex flex-wrap gap-x-6">
            {query.data.nextTimes.map((time) => (
              <li key={time}>{timeInZone(time, timeZone)}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
