/**
 * A namespace has one or more parts (`accounting`, `tax`); its name joins them by dots. A part that
 * has a dot or a backtick itself, or is empty, is in backticks, as in SQL: no two namespaces share a name.
 */

/** Writes the parts of a namespace as its name: `accounting.tax`. */
export function namespaceName(parts: readonly string[]): string {
  return parts
    .map((part) => (/[.`]|^$/.test(part) ? `\`${part.replaceAll('`', '``')}\`` : part))
    .join('.')
}

/** Whether requests can name a namespace: an empty part would be no part of a path. */
export function isAddressable(parts: readonly string[]): boolean {
  return parts.every((part) => part !== '')
}

/** Reads the name of a namespace; undefined when it is none. */
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
