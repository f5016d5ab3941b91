import { useState } from 'react'
import { Button } from './button.tsx'
import { numberText } from './number-text.ts'

interface LongTextProps {
  text: string
  /** The length of the collapsed text. */
  charactersMax?: number
}

/** A user's text with its lines; a long one is collapsed. */
export function LongText({ text, charactersMax = 600 }: LongTextProps) {
  const [isWhole, setWhole] = useState(false)
  // A little more is not worth a button.
  const isLong = text.length > charactersMax * 1.2
  const shown = isWhole || !isLong ? text : `${text.slice(0, charactersMax)}…`
  return (
    <>
      <span className="user-text whitespace-pre-line">{shown}</span>
      {isLong && (
        <Button
          look="quiet"
          className="-ml-1 block! min-h-6! px-1! text-sm!"
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : `Show all ${numberText(text.length)} characters`}
        </Button>
      )}
    </>
  )
}
