import { Radio } from '../../parts/field.tsx'
import { messageFor } from '../../parts/schema-form-values.ts'
import { platformWords } from './source-words.ts'
import { StepFooter } from './step-footer.tsx'
import type { Wizard } from './use-wizard.ts'

/** What kind of platform is connected. */
export function PlatformStep({ wizard }: { wizard: Wizard }) {
  const error = messageFor(wizard.violations, 'source')
  return (
    <>
      <fieldset className="grid gap-3">
        <legend className="mb-3 text-muted">
          Portbook reads the tables of a platform and keeps them as assets. It looks and never
          writes.
        </legend>
        {wizard.sources.map((source) => (
          <Radio
            key={source.source}
            name="platform"
            value={source.source}
            checked={wizard.draft.source === source.source}
            onChange={() => wizard.choosePlatform(source)}
            label={source.title}
            hint={platformWords(source.source)}
          />
        ))}
      </fieldset>
      {error !== undefined && (
        <p role="alert" className="text-critical">
          {error}
        </p>
      )}
      <StepFooter wizard={wizard} />
    </>
  )
}
