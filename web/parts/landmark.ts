import { useRef, useState, type RefObject } from 'react'

interface Landmark {
  /** Goes to what is floated beside. */
  anchor: RefObject<HTMLButtonElement | null>
  /** The container of floating elements; null for the end of the page. */
  landmark: HTMLElement | null
  /** To be called when it opens. */
  find: () => void
}

/**
 * Returns the container for elements that float beside a button: the main landmark, because all content must
 * be in a landmark; in a dialog, the end of the page.
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
