// The paths of fields in findings: `address.city`, `tags[]`, `prices[value]`.

/** Returns a name as it is in a path: those with characters of paths are quoted, so that different fields have different paths. */
export function nameStep(name: string): string {
  return /[.[\]"]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name
}
