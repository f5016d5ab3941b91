import { Agent, request } from 'node:http'
import type { RunningServer } from './servers.ts'

/** A mesh of the size in the goals of the pages. */
export interface PagesMesh {
  productId: string
  contractId: string
  teamId: string
  /** A table of 5,000 columns. */
  wideAssetId: string
  /** The path of a schema of 5,000 tables, outermost first, that schema last. */
  longSchemaPath: readonly string[]
}

const PRODUCTS_COUNT = 10_000
const ASSETS_COUNT = 100_000
const WIDE_COLUMNS_COUNT = 5000
const LONG_TABLES_COUNT = 5000
const TABLES_PER_SCHEMA = 500
const COLUMNS_COUNT = 8
const TEAMS_COUNT = 40
const CONNECTIONS_COUNT = 16

const DOMAINS = ['transport', 'warehouse', 'customs', 'billing', 'fleet', 'terminals'] as const
const WORDS = [
  'wagon',
  'train',
  'consignment',
  'invoice',
  'slot',
  'crew',
  'customs',
  'path',
] as const
const DATABASE = 'warehouse'

/** Creates all data for the pages through the API, as clients would. */
export async function fillForPages(server: RunningServer, key: string): Promise<PagesMesh> {
  const put = putter(server, key)
  const teams = range(TEAMS_COUNT).map((at) => [`/api/teams/${getTeam(at)}`, team(at)] as const)
  await put(teams)
  const [contract, ...products] = range(PRODUCTS_COUNT).map(
    (at) => [`/api/dataproducts/${createProduct(at)}`, product(at)] as const,
  )
  await put([['/api/datacontracts/wagon-moves', dataContract()]])
  if (contract !== undefined) await put([contract, ...products])
  const schemas = [
    'long',
    ...range((ASSETS_COUNT - LONG_TABLES_COUNT) / TABLES_PER_SCHEMA).map((at) => `s${at}`),
  ]
  await put([asset(DATABASE, 'database')])
  await put(schemas.map((schema) => asset(`${DATABASE}.${schema}`, 'schema')))
  await put([wideAsset()])
  await put(
    range(ASSETS_COUNT).map((at) => {
      const isLong = at < LONG_TABLES_COUNT
      const schema = isLong
        ? 'long'
        : `s${Math.floor((at - LONG_TABLES_COUNT) / TABLES_PER_SCHEMA)}`
      return asset(`${DATABASE}.${schema}.${getWord(at)}_${at}`, 'table', columns(COLUMNS_COUNT))
    }),
  )
  return {
    productId: createProduct(7),
    contractId: 'wagon-moves',
    teamId: getTeam(0),
    wideAssetId: `${DATABASE}.s0.wide`,
    longSchemaPath: [DATABASE, `${DATABASE}.long`],
  }
}

type Document = readonly [path: string, body: object]

/** Returns a function that puts documents concurrently over open connections. Errors: a rejected document. */
function putter({ port }: RunningServer, key: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_COUNT })
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const putOne = async ([path, body]: Document): Promise<void> =>
    await new Promise((done, fail) => {
      const sent = request(
        { agent, host: '127.0.0.1', port, path, method: 'PUT', headers },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8').on('data', (part: string) => (text += part))
          answer.on('end', () => {
            if (answer.statusCode === 200) done()
            else fail(new Error(`PUT ${path} answered ${answer.statusCode}: ${text.slice(0, 500)}`))
          })
        },
      )
      sent.on('error', fail)
      sent.end(JSON.stringify(body))
    })
  return async (documents: readonly Document[]): Promise<void> => {
    const left = documents.values()
    const work = async (): Promise<void> => {
      for (const document of left) await putOne(document)
    }
    await Promise.all(range(CONNECTIONS_COUNT).map(work))
  }
}

function team(at: number): object {
  return {
    id: getTeam(at),
    name: `Team ${at}`,
    type: 'Domain Team',
    description: `Answers for the ${getWord(at)}s of region ${at}.`,
    ...(at > 0 && at % 4 === 0 ? { parent: getTeam(0) } : {}),
  }
}

function product(at: number): object {
  return {
    apiVersion: 'v1.0.0',
    kind: 'DataProduct',
    id: createProduct(at),
    name: `${capitalized(getWord(at))} moves of region ${at}`,
    version: '1.4.0',
    status: ['active', 'draft', 'deprecated'][at % 3],
    domain: DOMAINS[at % DOMAINS.length],
    tags: [getWord(at), `region-${at % 50}`],
    description: {
      purpose: `Every move of a ${getWord(at)} between two places of region ${at}, as it was reported.`,
      limitations: 'Partners report with a delay of up to six hours.',
    },
    team: { name: getTeam(at % TEAMS_COUNT) },
    inputPorts: [{ name: 'moves', version: '1.0.0', contractId: `moves-${at - 1}` }],
    outputPorts: [
      {
        name: 'moves',
        version: '1.0.0',
        type: 'postgres',
        contractId: at === 7 ? 'wagon-moves' : `moves-${at}`,
      },
    ],
  }
}

function dataContract(): object {
  return {
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    id: 'wagon-moves',
    name: 'Wagon moves',
    version: '1.0.0',
    status: 'active',
    team: { name: getTeam(0) },
    description: { purpose: 'What a consumer of the moves of wagons may rely on.' },
    schema: range(4).map((at) => ({
      name: `${getWord(at)}_move`,
      logicalType: 'object',
      physicalType: 'table',
      properties: range(30).map((column) => ({
        name: `column_${column}`,
        logicalType: 'string',
        physicalType: 'text',
        description: 'What was reported.',
      })),
    })),
  }
}

function asset(id: string, kind: string, ownColumns?: object[]): Document {
  const parent = id.split('.').slice(0, -1).join('.')
  return [
    `/api/assets/${id}`,
    {
      id,
      info: {
        name: id.split('.').at(-1),
        type: `postgres_${kind}`,
        source: 'postgres',
        qualifiedName: id,
      },
      ...(ownColumns === undefined ? {} : { columns: ownColumns }),
      ...(parent === ''
        ? {}
        : { relationships: [{ relationshipType: 'parent', assetId: parent }] }),
    },
  ]
}

function wideAsset(): Document {
  return asset(`${DATABASE}.s0.wide`, 'table', columns(WIDE_COLUMNS_COUNT))
}

function columns(count: number): object[] {
  return range(count).map((at) => ({
    name: `${getWord(at)}_${at}`,
    type: at % 3 === 0 ? 'bigint' : 'text',
    ...(at % 5 === 0
      ? { description: `What was reported of the ${getWord(at)}, in the order of arrival.` }
      : {}),
  }))
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at)
}

function getWord(at: number): string {
  return WORDS[at % WORDS.length] ?? WORDS[0]
}

function getTeam(at: number): string {
  return `team-${at}`
}

function createProduct(at: number): string {
  return `moves-${at}`
}

function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
