import type { Schemas } from '../api/client.ts'
import type { Choice } from '../parts/choices.ts'
import { Combobox } from '../parts/combobox.tsx'
import { Field } from '../parts/field.tsx'
import { exactTime } from '../parts/time.tsx'

type Version = Schemas['Version']

interface VersionSelectProps {
  label: string
  versions: readonly Version[]
  value: number
  onChoose: (version: string) => void
}

/** Chooses one version of a document. */
export function VersionSelect({ label, versions, value, onChoose }: VersionSelectProps) {
  return (
    <Field label={label} className="grid-cols-[auto_1fr]! items-center">
      {(control) => (
        <Combobox
          {...control}
          value={String(value)}
          choices={versions.map(toChoice)}
          onChange={onChoose}
        />
      )}
    </Field>
  )
}

function toChoice({ version, validFrom }: Version): Choice {
  return { value: String(version), label: `${version}, ${exactTime(validFrom)}` }
}
