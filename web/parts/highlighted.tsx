import { splitIntoPieces } from './pieces.ts'

interface HighlightedProps {
  text: string
  /** Start and end of each match, in UTF-16 units. */
  ranges: readonly (readonly number[])[]
}

/** A text in which some places are marked. */
export function Highlighted({ text, ranges }: HighlightedProps) {
  return (
    <span className="user-text">
      {splitIntoPieces(text, ranges).map((piece, at) =>
        piece.isMarked ? (
          <mark
            key={at}
            className="rounded-xs bg-caution-soft font-semibold text-ink in-[a]:text-accent"
          >
            {piece.text}
          </mark>
        ) : (
          piece.text
        ),
      )}
    </span>
  )
}
