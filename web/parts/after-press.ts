let isPressed = false

if (typeof window !== 'undefined') {
  const listen = (type: 'pointerdown' | 'pointerup' | 'pointercancel', value: boolean): void =>
    window.addEventListener(type, () => (isPressed = value), { capture: true })
  listen('pointerdown', true)
  listen('pointerup', false)
  listen('pointercancel', false)
}

/**
 * Runs work now, or after the click if a button of the pointer is pressed. A press moves the focus before it becomes a
 * click: if leaving a field moved the layout, the pointer would be released beside the target, and the click be lost.
 */
export function runAfterPress(work: () => void): void {
  if (!isPressed) {
    work()
    return
  }
  const ends = new AbortController()
  const end = (): void => {
    ends.abort()
    // The click follows its pointer event.
    setTimeout(work)
  }
  for (const type of ['pointerup', 'pointercancel']) {
    window.addEventListener(type, end, { signal: ends.signal })
  }
}
