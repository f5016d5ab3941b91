/** Requests with the most expensive known documents of each kind. */

import { HOSTILE_CONTRACTS } from './hostile-contracts.ts'

/** A document to PUT and then to compare, model and export. */
export interface HostileRequest {
  trick: string
  method: 'PUT' | 'POST' | 'GET'
  path: string
  text?: string
  mediaType?: 'application/json' | 'application/yaml'
  /** `member` has no write permission. */
  caller: 'organization' | 'member'
}

const MEBIBYTE = 1024 * 1024
const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

const odcs = (id: string, owner: string, more: object): string =>
  JSON.stringify({
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    id,
    version: '1',
    status: 'active',
    team: { name: owner },
    ...more,
  })

/** Creates an ordinary contract in YAML of about this many bytes. */
export function yamlContract(
  id: string,
  owner: string,
  bytes: number,
  type = 'varchar(20)',
): string {
  const head = `apiVersion: v3.1.0\nkind: DataContract\nid: ${id}\nversion: "1"\nstatus: active\nteam: {name: ${owner}}\nschema:\n`
  const parts = [head]
  let length = head.length
  for (let at = 0; length < bytes - 10_000; at += 1) {
    const columns = range(50).map(
      (column) =>
        `      - name: column_${at}_${column}\n        logicalType: string\n        physicalType: ${type}\n        description: The column ${column}\n`,
    )
    const table = `  - name: table_${at}\n    physicalType: table\n    properties:\n${columns.join('')}`
    parts.push(table)
    length += table.length
  }
  return parts.join('')
}

function put(trick: string, id: string, text: string, isYaml = false): HostileRequest {
  return {
    trick,
    method: 'PUT',
    path: `/api/datacontracts/${id}`,
    text,
    mediaType: isYaml ? 'application/yaml' : 'application/json',
    caller: 'organization',
  }
}

function generate(trick: string, type: string): HostileRequest {
  const text = JSON.stringify({ type })
  return { ...put(trick, 'large', text), method: 'POST', path: '/api/datacontracts/large/generate' }
}

function get(trick: string, path: string): HostileRequest {
  return { trick, method: 'GET', path, caller: 'organization' }
}

function putSettings(name: string, trick: string, text: string): HostileRequest {
  return { ...put(trick, '', text, text.startsWith('x')), path: `/api/settings/${name}` }
}

/** Lists the largest settings of an organization that are read, valid and invalid. */
function settingsRequests(): HostileRequest[] {
  const mapping = { scimGroup: 'g'.repeat(150), type: 'organizationOwner' }
  const templates = range(6000).map((one) => [`type ${one}`, { languages: { de: { body: 'B' } } }])
  return [
    putSettings(
      'customization',
      'a customization of nested fields',
      `x${': : :\n'.repeat(10_000)}`,
    ),
    putSettings(
      'customization',
      'a customization of lists',
      `x: ${'['.repeat(60)}${']'.repeat(60)}\n`,
    ),
    putSettings(
      'scim-mapping',
      'many mappings of groups',
      JSON.stringify({ scimGroupMappings: range(1000).map(() => mapping) }),
    ),
    putSettings(
      'scim-mapping',
      'many invalid mappings',
      JSON.stringify({ scimGroupMappings: range(20_000).map(() => 0) }),
    ),
    putSettings(
      'email-templates',
      'many templates',
      JSON.stringify({ templates: Object.fromEntries(templates) }),
    ),
    get('the templates', '/api/settings/email-templates'),
    putSettings(
      'team-roles',
      'many invalid roles',
      JSON.stringify({ mode: 'x', 'team-roles': range(20_000) }),
    ),
  ]
}

/**
 * Lists all hostile requests for the team `a`, in an order in which they build on each other; `isLong` = at
 * their largest.
 */
export function hostileRequests(isLong: boolean): HostileRequest[] {
  const team = 'a'
  const scale = isLong ? 1 : 0.06
  const many = (count: number): number[] => range(Math.round(count * scale))
  const bytes = Math.round(4.9 * MEBIBYTE * scale)
  const servers = (name: string): string =>
    odcs('servers', team, {
      servers: many(30_000).map((at) => ({ server: `${name}${at}`, type: 's3' })),
    })
  const ports = (name: string): string =>
    JSON.stringify({
      apiVersion: 'v1.0.0',
      kind: 'DataProduct',
      id: 'ports',
      name: 'Ports',
      status: 'active',
      team: { name: team },
      outputPorts: many(15_000).map((at) => ({ name: `${name}${at}`, version: '1' })),
    })
  const rows = JSON.stringify({
    dataProductId: 'ports',
    data: many(49_000).map((at) => [at]),
  })
  const charsMax = isLong ? Number.POSITIVE_INFINITY : 200_000
  const hostile = HOSTILE_CONTRACTS.filter(
    ({ status, text }) => status !== 413 && text.length <= charsMax,
  )
  return [
    {
      ...put('nested fields in each of 800,000 lines', 'lines', ': : :\n'.repeat(816_000), true),
      caller: 'member',
    },
    put('nested fields, as many as are read', 'lines', ': : :\n'.repeat(bytes / 32), true),
    put(
      'blank lines',
      'blank',
      `${yamlContract('blank', team, 0)}${'\n'.repeat(bytes / 12)}`,
      true,
    ),
    put('a large contract in YAML', 'large', yamlContract('large', team, bytes), true),
    get('its models', '/api/datacontracts/large/model'),
    get('its export', '/api/datacontracts/large/export?format=sql'),
    generate('its classes', 'pydantic'),
    generate('queries of it', 'sql-select'),
    get('the list with it', '/api/datacontracts'),
    put('a change of it', 'large', yamlContract('large', team, bytes, 'varchar(30)'), true),
    get('events with it', '/api/events?include=document'),
    put('many servers', 'servers', servers('a')),
    put('all servers replaced', 'servers', servers('b')),
    get('the difference of that', '/api/datacontracts/servers/diff'),
    { ...put('many ports', '', ports('a')), path: '/api/dataproducts/ports' },
    { ...put('all ports renamed', '', ports('b')), path: '/api/dataproducts/ports' },
    {
      ...put('all ports renamed again', '', ports('c')),
      path: '/api/dataproducts/ports?dryRun=true',
    },
    get('the difference of that', '/api/dataproducts/ports/diff'),
    { ...put('example data with many values', '', rows), path: '/api/example-data/rows' },
    { ...put('the same as YAML', '', rows, true), path: '/api/example-data/yaml' },
    get('all example data', '/api/example-data'),
    ...settingsRequests(),
    ...hostile.flatMap(({ trick, text, mediaType }): HostileRequest[] => {
      const one = { ...put(trick, 'hostile', text), mediaType }
      const dry = {
        ...one,
        trick: `${trick}, dry run`,
        path: '/api/datacontracts/hostile?dryRun=true',
      }
      if (!isLong) return [dry]
      return [
        one,
        dry,
        {
          ...one,
          trick: `${trick}, compared`,
          method: 'POST',
          path: '/api/datacontracts/hostile/diff',
          caller: 'member',
        },
        get(`${trick}, models`, '/api/datacontracts/hostile/model'),
        get(`${trick}, export`, '/api/datacontracts/hostile/export?format=avro'),
      ]
    }),
  ]
}
