import { useState } from 'react'
import { ChoiceField } from '../parts/choice-field.tsx'
import { toChoices } from '../parts/choices.ts'
import type { Editing } from './use-editing.ts'

/** The formats in which a new document can be begun. */
export function Templates({ editing }: { editing: Editing }) {
  const { kind, isChanged, start, reset } = editing
  const [chosen, setChosen] = useState(kind.templates[0]?.title ?? '')
  if (start !== undefined || kind.templates.length < 2) return null
  const choose = (title: string): void => {
    const template = kind.templates.find((one) => one.title === title)
    if (template === undefined) return
    setChosen(title)
    reset({ text: template.text, mediaType: template.mediaType, etag: null })
  }
  return (
    <ChoiceField
      label="Format"
      hint={isChanged ? 'Choose the format before you type anything else.' : undefined}
      value={chosen}
      disabled={isChanged}
      choices={toChoices(kind.templates.map(({ title }) => title))}
      onChange={choose}
    />
  )
}
