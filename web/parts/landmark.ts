import { useRef, useState, type RefObject } from 'react'

interface Landmark {
  /** Goes to what is floated beside. */
  anchor: RefObject<HTMLButtonElement | null>
  /** Where what floats is to be put; null = at the end of the page. */
  landmark: HTMLElement | null
  /** To be called when it opens. */
  find: () => void
}

/**
 * Says where to put what floats beside a button: into the main part of the page, since everything
 * stands in a part that has a name; beside a dialog, which hides all that it lies on, at the end.
 */
export function useLandmark(): Landmark {
  const anchor = useRef<HTMLButtonElement>(null)
  const [landmark, setLandmark] = useState<HTMLElement | null>(null)
  const find = (): void => {
    const isInDialog = anchor.current?.closest('[role=dialog], [role=alertdialog]') !== null
    setLandmark(isInDialog ? null : document.querySelector('main'))
  }
  return { anchor, landmark, find }
}
