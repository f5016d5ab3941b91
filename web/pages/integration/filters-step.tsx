import { ListChecks } from 'lucide-react'
import { Button } from '../../parts/button.tsx'
import { Field, TextArea } from '../../parts/field.tsx'
import { Notice, ProblemNotice, Skeleton } from '../../parts/notice.tsx'
import { messageFor } from '../../parts/schema-form-values.ts'
import type { Source } from './integration-draft.ts'
import { PreviewResult } from './preview-result.tsx'
import { levelsText } from './source-words.ts'
import { StepFooter } from './step-footer.tsx'
import type { Wizard } from './use-wizard.ts'
import type { Trials } from './use-trials.ts'

/** What of the source comes into the catalog, with a look at what that would be. */
export function FiltersStep({ wizard, trials }: { wizard: Wizard; trials: Trials }) {
  const { source, form } = wizard
  if (source === undefined) return null
  return (
    <>
      <p className="text-muted">
        Without filters everything comes in but what belongs to the platform itself. Write a name in
        each line; <code>*</code> stands for any text and <code>?</code> for any character. What is
        left out wins over what is taken in, unless it is taken in letter by letter.
      </p>
      {form !== undefined && (
        <Notice tone="info" title="A filter deletes nothing by itself">
          What no longer matches is kept after the next run, until a person confirms that it goes.
        </Notice>
      )}
      {source.levels.map((level) => (
        <LevelFilters key={level} wizard={wizard} level={level} />
      ))}
      <Preview source={source} trials={trials} />
      <StepFooter wizard={wizard} />
    </>
  )
}

function LevelFilters({ wizard, level }: { wizard: Wizard; level: string }) {
  const { draft, violations } = wizard
  const plural = levelsText(level)
  return (
    <fieldset className="grid gap-3 sm:grid-cols-2">
      <legend className="mb-1.5 font-medium">
        {plural.charAt(0).toUpperCase()}
        {plural.slice(1)}
      </legend>
      {(['include', 'exclude'] as const).map((side) => (
        <Field
          key={side}
          label={`${side === 'include' ? 'Take in' : 'Leave out'} these ${plural}`}
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

function Preview({ source, trials: { preview } }: { source: Source; trials: Trials }) {
  const { result, isOld, isPending, problem } = preview
  // What is listed are the scopes and all that holds them.
  const listed = source.levels.slice(0, source.levels.indexOf(source.scopeLevel) + 1)
  const plural = listed.map(levelsText).join(' and ')
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button
          icon={<ListChecks size={14} aria-hidden />}
          busy={isPending}
          onClick={preview.start}
        >
          {result === undefined ? 'Show what will come in' : 'Look again'}
        </Button>
        <span className="text-sm text-muted">
          Lists the {plural} of the source, without reading their tables.
        </span>
      </div>
      <div aria-live="polite" className="grid gap-3">
        {isPending && <Skeleton lines={4} label="Listing the source" />}
        {!isPending && problem !== undefined && <ProblemNotice problem={problem} />}
        {!isPending && problem === undefined && isOld && (
          <Notice tone="caution" title="You changed something since this look" />
        )}
        {!isPending && problem === undefined && result !== undefined && (
          <PreviewResult preview={result} plural={plural} />
        )}
      </div>
    </div>
  )
}
