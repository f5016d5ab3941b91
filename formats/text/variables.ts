// Variables in documents of ODCS and ODPS, `${NAME}` or `${NAME:-default}`. Tools replace them when they deploy a
// document. The catalog has no values for them: it keeps them as they are written, and treats each value that has one
// as unknown.

interface Variable {
  name: string
  /** Undefined if it has none; may be empty. */
  default?: string
  /** Its notation: `${DB_PORT:-5432}`. */
  text: string
  /** Its position in the text, from 0. */
  at: number
}

// A default has no braces, so that each character is read once.
const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^{}]*))?\}/g

/** Lists the variables of a text in their order. */
export function findVariables(text: string): Variable[] {
  if (!text.includes('${')) return []
  return Array.from(text.matchAll(VARIABLE), (match): Variable => {
    const [whole, name = '', defaultText] = match
    const variable = { name, text: whole, at: match.index }
    return defaultText === undefined ? variable : { ...variable, default: defaultText }
  })
}

/**
 * Returns whether a text has a placeholder that a tool replaces when it deploys a document, so that its value is unknown:
 * `${DB}` of ODCS and of shells, `{{ schema }}` and `{% … %}` of Jinja and dbt, `$(Schema)` of pipelines and sqlcmd.
 */
export function hasPlaceholder(text: string): boolean {
  return /\$[{(]|\{[{%]/.test(text)
}

/** Returns whether a value is a text with a variable. */
export function hasVariable(value: unknown): boolean {
  return typeof value === 'string' && value.includes('${') && value.search(VARIABLE) >= 0
}
