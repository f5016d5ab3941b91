const KEY = 'portbook-first-steps-hidden:'
// What is stored when the steps were hidden; from before there was another way for them to end.
const HIDDEN = 'yes'

/** Whether the first steps are shown: `shown` once a page has, `over` when they are done or hidden. */
export type StepsState = 'new' | 'shown' | 'over'

/** Reads the state of an organization's first steps in this browser. */
export function readStepsState(organizationId: string): StepsState {
  try {
    const stored = localStorage.getItem(KEY + organizationId)
    if (stored === null) return 'new'
    return stored === 'shown' ? 'shown' : 'over'
  } catch {
    return 'new'
  }
}

/** Keeps the state of an organization's first steps in this browser. */
export function keepStepsState(organizationId: string, state: 'shown' | 'over'): void {
  try {
    localStorage.setItem(KEY + organizationId, state === 'over' ? HIDDEN : state)
  } catch {
    // Without storage the steps are hidden until the page is left.
  }
}
