/** A call of the public Java SDK, and the calls that all kinds have. */

/** One call of a generated class. */
export interface JavaCall {
  /** The class and the method: `TagsApi.addTag`. */
  readonly name: string
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** The path; `$name` is a value that an earlier call kept. */
  readonly path: string
  readonly body?: object
  readonly status: number
  /** A part of the answer. */
  readonly answers?: object
  /** Values for later calls: the first group of each pattern, found in the answer. */
  readonly keeps?: Readonly<Record<string, RegExp>>
  /** Whether a person's key is sent. */
  readonly caller?: 'user'
}

/** Lists the calls of a kind: get, put, list and delete. The id is encoded as the client does it. */
export function listCrudCalls(
  api: string,
  nouns: readonly [one: string, many: string],
  path: string,
  document: Readonly<Record<string, unknown>>,
): JavaCall[] {
  const own = `${path}/${encodeURIComponent(String(document.id))}`
  const [one, many] = nouns
  return [
    { name: `${api}.get${one}`, method: 'GET', path: own, status: 404 },
    { name: `${api}.add${one}`, method: 'PUT', path: own, body: document, status: 200 },
    { name: `${api}.get${one}`, method: 'GET', path: own, status: 200, answers: document },
    { name: `${api}.get${many}`, method: 'GET', path: `${path}?p=0`, status: 200 },
    { name: `${api}.get${many}`, method: 'GET', path, status: 200 },
    { name: `${api}.delete${one}`, method: 'DELETE', path: own, status: 200 },
    // An asset may be deleted again.
    {
      name: `${api}.delete${one}`,
      method: 'DELETE',
      path: own,
      status: api === 'AssetsApi' ? 200 : 404,
    },
  ]
}

/** Lists calls that are not served yet. */
export function listLaterCalls(api: string, lines: readonly string[]): JavaCall[] {
  return lines.map((line) => {
    const [name = '', method, path = ''] = line.split(' ')
    return {
      name: `${api}.${name}`,
      method: method as JavaCall['method'],
      path,
      status: 404,
      ...(method === 'PUT' ? { body: {} } : {}),
      answers: { code: 'unknown_address' },
    }
  })
}
