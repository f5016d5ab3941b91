/** The addresses of a scripted source. */

/** The meaning of an address; `unknown` if the protocol does not have it. */
export interface ScriptedRoute {
  kind: 'config' | 'token' | 'namespaces' | 'namespace' | 'list' | 'load' | 'unknown'
  name: string
  namespace: readonly string[]
  collection: 'tables' | 'views'
  object: string
}

/** Returns the meaning of an address; `prefix` is the part between the version and the rest of its path. */
export function getRoute(url: URL, prefix: string | undefined): ScriptedRoute {
  const route = { namespace: [], collection: 'tables', object: '' } as const
  if (url.pathname === '/v1/config') return { ...route, kind: 'config', name: 'config' }
  if (url.pathname === '/v1/oauth/tokens') return { ...route, kind: 'token', name: 'token' }
  const base = prefix === undefined ? '/v1/' : `/v1/${prefix}/`
  const parts = url.pathname.slice(base.length).split('/').map(decodeURIComponent)
  const [root, space, kind, object, more] = parts
  if (!url.pathname.startsWith(base) || root !== 'namespaces' || more !== undefined) {
    return { ...route, kind: 'unknown', name: `unknown ${url.pathname}` }
  }
  if (space === undefined) {
    const parent = url.searchParams.get('parent') ?? ''
    const namespace = parent === '' ? [] : parent.split('\u001F')
    const name = ['namespaces', ...(parent === '' ? [] : [namespace.join('.')])].join(' ')
    return { ...route, kind: 'namespaces', name, namespace }
  }
  const namespace = space.split('\u001F')
  const dotted = namespace.join('.')
  if (kind === undefined)
    return { ...route, kind: 'namespace', name: `namespace ${dotted}`, namespace }
  if (kind !== 'tables' && kind !== 'views') {
    return { ...route, kind: 'unknown', name: `unknown ${url.pathname}` }
  }
  if (object === undefined) {
    return { ...route, kind: 'list', name: `${kind} ${dotted}`, namespace, collection: kind }
  }
  const name = `${kind.slice(0, -1)} ${dotted}.${object}`
  return { kind: 'load', name, namespace, collection: kind, object }
}
