/** Returns the plural of a level of a source: `schemas`. */
export function levelsText(level: string): string {
  return `${level}s`
}
