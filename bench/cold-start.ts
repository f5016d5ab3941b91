import { readFile } from 'node:fs/promises'
import { documentTemplate } from './documents.ts'
import type { Figure, Row } from './figure.ts'
import { toSpread, type Spread } from './rounds.ts'
import { startBare, startProduct, type RunningServer } from './servers.ts'
import { createBootstrapEnvironment, putTeam, type ServerKind, type Stage } from './stage.ts'

const NAME = 'cold-start'
const GOAL_NEW_S = 2.5
const GOALS_EXISTING_S: Readonly<Record<ServerKind, number>> = { configured: 2, local: 1.5 }
const { id, text } = documentTemplate(0)

/** The time from the start of a process to its first response to a request with a key. */
export const coldStart: Figure = {
  name: NAME,
  title: 'From the start of a process to its first response, against bare Node and driver',
  async *measure(stage) {
    await stage.clear()
    for (const kind of stage.serverKinds) {
      if (kind === 'local') yield await measureNew(stage)
      yield await measureExisting(stage, kind)
    }
  },
}

/** Measures starts on an empty data directory, which create the cluster, the organization and its key. */
async function measureNew(stage: Stage): Promise<Row> {
  const times = await alternate(stage, {
    async product() {
      const { environment, database, keyFile } = await stage.newPlace('local')
      const seconds = await measureStart(
        () => startProduct({ ...environment, ...createBootstrapEnvironment(keyFile) }),
        async (server) => {
          const key = await readKey(keyFile)
          await send(server, '/api/organization/settings', { headers: { 'x-api-key': key } })
        },
      )
      await stage.deleteDatabase(database)
      return seconds
    },
    async bare() {
      const database = await stage.newDatabase('local')
      const seconds = await measureStart(
        () => startBare(database),
        (server) => put(server, 'none'),
      )
      await stage.deleteDatabase(database)
      return seconds
    },
  })
  return toRow(`${NAME}, new directory`, 'local', times, GOAL_NEW_S)
}

/** Measures starts on a database that is set up and contains a product. */
async function measureExisting(stage: Stage, kind: ServerKind): Promise<Row> {
  const { environment, keyFile } = await stage.newPlace(kind)
  const first = await startProduct({ ...environment, ...createBootstrapEnvironment(keyFile) })
  const key = await readKey(keyFile)
  await putTeam(first, key)
  await put(first, key)
  await first.stop()
  const bareDatabase = await stage.newDatabase(kind)
  const firstBare = await startBare(bareDatabase)
  await put(firstBare, key)
  await firstBare.stop()
  const times = await alternate(stage, {
    product: () =>
      measureStart(
        () => startProduct(environment),
        (server) => get(server, key),
      ),
    bare: () =>
      measureStart(
        () => startBare(bareDatabase),
        (server) => get(server, key),
      ),
  })
  return toRow(`${NAME}, existing data`, kind, times, GOALS_EXISTING_S[kind])
}

/** Times of both sides in seconds. */
interface Times {
  product: Spread
  bare: Spread
}

async function alternate(
  stage: Stage,
  sides: Record<keyof Times, () => Promise<number>>,
): Promise<Times> {
  const product: number[] = []
  const bare: number[] = []
  for (let round = 0; round < stage.effort.rounds; round += 1) {
    product.push(await sides.product())
    bare.push(await sides.bare())
  }
  return { product: toSpread(product), bare: toSpread(bare) }
}

async function measureStart(
  start: () => Promise<RunningServer>,
  request: (server: RunningServer) => Promise<void>,
): Promise<number> {
  const startedAtMs = performance.now()
  const server = await start()
  await request(server)
  const seconds = (performance.now() - startedAtMs) / 1000
  await server.stop()
  return seconds
}

function toRow(figure: string, server: ServerKind, times: Times, goal: number): Row {
  const { product, bare } = times
  return {
    figure,
    server,
    subject: `${product.median.toFixed(2)} s, ${(product.median / bare.median).toFixed(1)} times`,
    limit: `${bare.median.toFixed(2)} s`,
    result: product,
    unit: 's',
    goal,
    measured: times,
  }
}

async function readKey(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).trim()
}

async function get(server: RunningServer, key: string): Promise<void> {
  await send(server, `/api/dataproducts/${id}`, { headers: { 'x-api-key': key } })
}

async function put(server: RunningServer, key: string): Promise<void> {
  await send(server, `/api/dataproducts/${id}`, {
    method: 'PUT',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: text(0),
  })
}

async function send({ url }: RunningServer, path: string, request: RequestInit): Promise<void> {
  const response = await fetch(`${url}${path}`, request)
  const answer = await response.text()
  if (response.status !== 200) throw new Error(`${response.status}: ${answer}`)
}
