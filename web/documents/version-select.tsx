import type { Schemas } from '../api/client.ts'
import type { Choice } from '../parts/choices.ts'
import { ChoiceField } from '../parts/choice-field.tsx'
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
    <ChoiceField
      label={label}
      className="grid-cols-[auto_1fr]! items-center"
      value={String(value)}
      choices={versions.map(toChoice)}
      onChange={onChoose}
    />
  )
}

function toChoice({ version, validFrom }: Version): Choice {
  return { value: String(version), label: `${version}, ${exactTime(validFrom)}` }
}
