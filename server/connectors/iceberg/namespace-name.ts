/**
 * A namespace has one or more parts (`accounting`, `tax`); its name joins them with dots. A part
 * that is empty or contains a dot or a backtick is quoted with backticks, as in SQL, so that names
 * are unique.
 */

/** Formats the parts of a namespace as its name: `accounting.tax`. */
export function namespaceName(parts: readonly string[]): string {
  return parts
    .map((part) => (/[.`]|^$/.test(part) ? `\`${part.replaceAll('`', '``')}\`` : part))
    .join('.')
}

/** Checks whether requests can name a namespace: an empty part cannot be part of a path. */
export function isAddressable(parts: readonly string[]): boolean {
  return parts.every((part) => part !== '')
}

/** Parses the name of a namespace; undefined = invalid. */
export function namespaceParts(name: string): string[] | undefined {
  const parts: string[] = []
  const part = /(?:`((?:[^`]|``)+)`|([^.`]+))(\.|$)/suy
  for (;;) {
    const match = part.exec(name)
    if (match === null) return undefined
    const [, quoted, plain = '', end] = match
    parts.push(quoted?.replaceAll('``', '`') ?? plain)
    if (end === '') return parts
  }
}
