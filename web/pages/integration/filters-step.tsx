import type { Source } from '../../api/sources.ts'
import { ChevronRight, RefreshCw } from 'lucide-react'
import { Button } from '../../parts/button.tsx'
import { Field, TextArea } from '../../parts/field.tsx'
import { Empty, Notice, ProblemNotice, Skeleton } from '../../parts/notice.tsx'
import { splitLines, messageFor } from '../../parts/schema-form-values.ts'
import { numberText } from '../../parts/number-text.ts'
import { ConnectionResult } from './finding-list.tsx'
import type { IntegrationDraft } from './integration-draft.ts'
import { ScopePicker } from './scope-picker.tsx'
import { capitalize } from '../../parts/capitalize.ts'
import { levelsText } from './setup-facts.ts'
import { StepFooter } from './step-footer.tsx'
import { useFix } from './use-fix.ts'
import type { Trials } from './use-trials.ts'
import type { Wizard } from './use-wizard.ts'

/** The choice of what is read: a tick list of the source's scopes, and patterns for the rest. */
export function FiltersStep({ wizard, trials }: { wizard: Wizard; trials: Trials }) {
  const { source, form } = wizard
  const fix = useFix(wizard, trials)
  if (source === undefined) return null
  const { result, isOld } = trials.test
  return (
    <>
      {result !== undefined && !isOld && <ConnectionResult result={result} isCompact onFix={fix} />}
      {form !== undefined && (
        <Notice tone="info" title="Filters delete nothing by themselves">
          After the next run, assets that no longer match are held until a person confirms their
          deletion.
        </Notice>
      )}
      <Scopes wizard={wizard} source={source} trials={trials} />
      <Patterns wizard={wizard} source={source} />
      <StepFooter wizard={wizard} />
    </>
  )
}

interface ScopesProps {
  wizard: Wizard
  source: Source
  trials: Trials
}

function Scopes({ wizard, source, trials: { preview } }: ScopesProps) {
  const { result, tried, isOld, isPending, problem } = preview
  // The listing contains the scopes and everything that holds them.
  const listed = source.levels.slice(0, source.levels.indexOf(source.scopeLevel) + 1)
  const plural = listed.map(levelsText).join(' and ')
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button icon={RefreshCw} busy={isPending} onClick={() => preview.start()}>
          {result === undefined ? 'Load preview' : 'Refresh preview'}
        </Button>
        <span className="text-sm text-muted">
          {isOld && !isPending
            ? 'Settings changed since this preview.'
            : `Lists the ${plural} of the source.`}
        </span>
      </div>
      <div aria-live="polite" className="grid gap-3">
        {isPending && <Skeleton lines={4} label="Loading the preview" />}
        {!isPending && <ProblemNotice problem={problem} />}
      </div>
      {!isPending && problem === undefined && result !== undefined && (
        <>
          {result.problem !== null && (
            <Notice tone="critical" title="The source was not listed completely">
              {result.problem}
            </Notice>
          )}
          {result.scopes.length === 0 ? (
            <Empty title={`No ${plural} found`}>
              Check the connection settings and the privileges of the user.
            </Empty>
          ) : (
            <ScopePicker
              wizard={wizard}
              source={source}
              preview={result}
              previewed={(level) => globsIn(tried, level)}
            />
          )}
          <CutNotice shown={result.scopes.length} total={countScopes(result.counts)} />
        </>
      )}
    </div>
  )
}

function globsIn(draft: IntegrationDraft | undefined, level: string) {
  return {
    include: splitLines(draft?.include[level] ?? ''),
    exclude: splitLines(draft?.exclude[level] ?? ''),
  }
}

function countScopes(counts: { included: number; excluded: number; denied: number }): number {
  return counts.included + counts.excluded + counts.denied
}

function CutNotice({ shown, total }: { shown: number; total: number }) {
  if (shown >= total) return null
  return (
    <p className="text-sm text-muted">
      Only the first {numberText(shown)} of {numberText(total)} are listed. Patterns under Advanced
      apply to all of them.
    </p>
  )
}

function Patterns({ wizard, source }: { wizard: Wizard; source: Source }) {
  const isOpen = wizard.violations.some(({ field }) => field.startsWith('filters'))
  return (
    <details className="group border-t border-line pt-4" open={isOpen || undefined}>
      <summary className="flex min-h-6 w-fit items-center gap-1.5 font-medium">
        <ChevronRight
          size={14}
          aria-hidden
          className="transition-transform group-open:rotate-90 motion-reduce:transition-none"
        />
        Advanced: patterns
      </summary>
      <div className="mt-4 grid gap-4">
        <p className="text-muted">
          One name per line; <code>*</code> matches any text and <code>?</code> any character.
          Without patterns everything is read except what belongs to the platform itself. Exclude
          wins over include, unless a name is included exactly.
        </p>
        {source.levels.map((level) => (
          <LevelPatterns key={level} wizard={wizard} level={level} />
        ))}
      </div>
    </details>
  )
}

function LevelPatterns({ wizard, level }: { wizard: Wizard; level: string }) {
  const { draft, violations } = wizard
  const plural = levelsText(level)
  return (
    <fieldset className="grid gap-3 sm:grid-cols-2">
      <legend className="mb-1.5 font-medium">{capitalize(plural)}</legend>
      {(['include', 'exclude'] as const).map((side) => (
        <Field
          key={side}
          label={`${side === 'include' ? 'Include' : 'Exclude'} ${plural}`}
          optional
          error={messageFor(violations, `filters.${side}.${level}`)}
        >
          {(control) => (
            <TextArea
              {...control}
              className="min-h-16 font-mono"
              spellCheck={false}
              autoComplete="off"
              rows={2}
              value={draft[side][level] ?? ''}
              onChange={(event) => {
                const texts = { ...draft[side], [level]: event.target.value }
                wizard.patch({ [side]: texts }, `filters.${side}.${level}`)
              }}
            />
          )}
        </Field>
      ))}
    </fieldset>
  )
}
