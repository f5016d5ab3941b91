const KEY = 'portbook-first-steps-hidden:'

/** Says whether the first steps of an organization were put away in this browser. */
export function areStepsHidden(organizationId: string): boolean {
  try {
    return localStorage.getItem(KEY + organizationId) !== null
  } catch {
    return false
  }
}

/** Puts the first steps of an organization away, in this browser. */
export function hideSteps(organizationId: string): void {
  try {
    localStorage.setItem(KEY + organizationId, 'yes')
  } catch {
    // Then they are away until the page is left.
  }
}
