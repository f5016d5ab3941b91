import { cappedText } from '../parts/number-text.ts'
import { Status, ToneIcon, type Tone } from '../parts/status.tsx'
import { CHANGES_MAX, MARK_KINDS, type OutlineMarks } from './outline-marks.ts'

const TONES: Record<(typeof MARK_KINDS)[number], Tone> = {
  error: 'critical',
  warning: 'caution',
  change: 'draft',
}

// Each in words and with its tone.
function listMarks(marks: OutlineMarks): { tone: Tone; words: string; firstField: string }[] {
  return MARK_KINDS.flatMap((kind) => {
    const mark = marks[kind]
    if (mark === undefined) return []
    const { count, firstField } = mark
    const words = `${cappedText(count, CHANGES_MAX)} ${kind}${count === 1 ? '' : 's'}`
    return [{ tone: TONES[kind], words, firstField }]
  })
}

/** The problems and changes of a section: each with its count, shape, colour and word. */
export function MarkStatuses({ marks }: { marks: OutlineMarks }) {
  return listMarks(marks).map(({ tone, words }) => (
    <Status key={tone} tone={tone}>
      {words}
    </Status>
  ))
}

interface ItemMarksProps {
  title: string
  marks: OutlineMarks
  onShowField: (field: string) => void
}

/** The marks of a section in the list of sections: the first problem of each kind is one click away. */
export function ItemMarks({ title, marks, onShowField }: ItemMarksProps) {
  return (
    <span className="flex flex-wrap gap-x-2 px-1 pb-1">
      {listMarks(marks).map(({ tone, words, firstField }) => (
        <button
          key={tone}
          type="button"
          className="inline-flex min-h-6 items-center gap-1 rounded px-1 text-xs hover:bg-hover hover:underline"
          onClick={() => onShowField(firstField)}
        >
          <ToneIcon tone={tone} size={12} />
          {words}
          <span className="sr-only"> in {title}</span>
        </button>
      ))}
    </span>
  )
}
