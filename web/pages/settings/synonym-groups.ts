/** Groups of words that search treats alike. */
export type Groups = readonly (readonly string[])[]

/** Returns why a group of synonyms cannot be saved; undefined = it can. */
export function groupProblem(words: readonly string[]): string | undefined {
  return words.length === 1 ? 'Add a second word. A group has at least two.' : undefined
}

/** Returns the groups to save: those that have words. */
export function groupsToSave(groups: Groups): string[][] {
  return groups.filter((words) => words.length > 0).map((words) => [...words])
}

/** Returns why edited groups cannot be saved; undefined = they can. */
export function reasonNotToSave(stored: Groups, groups: Groups): string | undefined {
  if (JSON.stringify(groupsToSave(groups)) === JSON.stringify(stored)) return 'No changes to save.'
  const hasProblem = groups.some((words) => groupProblem(words) !== undefined)
  return hasProblem ? 'Each group needs at least two words.' : undefined
}
