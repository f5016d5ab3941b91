import type { Operation, Parameter } from './api-document.ts'

/** The input of a request by parameter name; a list has one value per line. */
export type Filled = Readonly<Record<string, string>>

/** The values that are filled in for a parameter; empty = it is left out. */
function listFilledValues({ schema, name }: Parameter, filled: Filled): string[] {
  const text = Object.hasOwn(filled, name) ? (filled[name] ?? '') : ''
  if (text === '') return []
  return isList(schema)
    ? text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
    : [text]
}

/** Returns whether a parameter may be repeated. */
export function isList(schema: Parameter['schema']): boolean {
  return (
    typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'array'
  )
}

/** The address of a request, without the site: a part of the path that is missing stays in braces. */
export function toRequestAddress(operation: Operation, filled: Filled): string {
  const query = new URLSearchParams()
  let path = operation.path
  for (const parameter of operation.parameters) {
    const values = listFilledValues(parameter, filled)
    if (parameter.place === 'path') {
      const [value] = values
      // A function, because a `$` in what is filled in is not a pattern.
      if (value !== undefined)
        path = path.replace(`{${parameter.name}}`, () => encodeURIComponent(value))
    } else {
      for (const value of values) query.append(parameter.name, value)
    }
  }
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

/** The parameters that must be filled in and are not. */
export function listMissingParameters(operation: Operation, filled: Filled): string[] {
  return operation.parameters
    .filter((parameter) => parameter.isRequired && listFilledValues(parameter, filled).length === 0)
    .map(({ name }) => name)
}

interface CurlParts {
  origin: string
  method: string
  address: string
  mediaType: string | undefined
  /** undefined = no body. */
  body: string | undefined
}

/** The same request as a command; the key comes from the shell's environment. */
export function toCurlCommand({ origin, method, address, mediaType, body }: CurlParts): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}-H "x-api-key: $PORTBOOK_API_KEY"`,
    ...(body === undefined || mediaType === undefined
      ? []
      : [`-H ${quoted(`content-type: ${mediaType}`)}`]),
    ...(body === undefined ? [] : [`--data-binary ${quoted(body)}`]),
    quoted(`${origin}${address}`),
  ]
  return lines.join(' \\\n  ')
}

// Between single quotes a shell reads nothing but the end of them.
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
