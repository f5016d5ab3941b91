import { readFile } from 'node:fs/promises'
import { documentTemplate } from './documents.ts'
import type { Figure, Row } from './figure.ts'
import { spreadOf, type Spread } from './rounds.ts'
import { startBare, startProduct, type RunningServer } from './servers.ts'
import { bootstrapOf, putTeam, type Stage, type StoreKind } from './stage.ts'

const NAME = 'cold-start'
const GOAL_POSTGRES_S = 2
const GOAL_NEW_EMBEDDED_S = 5
const { id, text } = documentTemplate(0)

/** From the start of a process to its first answer to a request with a key. */
export const coldStart: Figure = {
  name: NAME,
  title: 'From the start of a process to its first answer, against bare Node and driver',
  async *measure(stage) {
    // Servers that sit beside would share the processors.
    for (const store of stage.storeKinds) await stage.clear(store)
    for (const store of stage.storeKinds) {
      if (store === 'embedded') yield await firstStarts(stage)
      yield await laterStarts(stage, store)
    }
  },
}

/** Starts on a store that was set up before and holds a product. */
async function laterStarts(stage: Stage, store: StoreKind): Promise<Row> {
  const { environment, keyFile } = await stage.newPlace(store)
  const first = await startProduct({ ...environment, ...bootstrapOf(keyFile) })
  const key = await readKey(keyFile)
  await putTeam(first, key)
  await put(first, key)
  await first.stop()
  const place =
    store === 'postgres'
      ? { databaseUrl: await stage.newDatabase() }
      : { directory: stage.newDirectory() }
  const firstBare = await startBare(place)
  await put(firstBare, key)
  await firstBare.stop()
  const times = await inTurns(stage, {
    product: () =>
      secondsTo(
        () => startProduct(environment),
        (server) => get(server, key),
      ),
    bare: () =>
      secondsTo(
        () => startBare(place),
        (server) => get(server, key),
      ),
  })
  const goal = store === 'postgres' ? GOAL_POSTGRES_S : undefined
  return rowOf(`${NAME}, existing store`, store, times, goal)
}

/** Starts on an empty directory, which make the store, the organization and its key. */
async function firstStarts(stage: Stage): Promise<Row> {
  const times = await inTurns(stage, {
    async product() {
      const { environment, keyFile } = await stage.newPlace('embedded')
      return await secondsTo(
        () => startProduct({ ...environment, ...bootstrapOf(keyFile) }),
        async (server) => {
          const key = await readKey(keyFile)
          await ask(server, '/api/organization/settings', { headers: { 'x-api-key': key } })
        },
      )
    },
    async bare() {
      const directory = stage.newDirectory()
      return await secondsTo(
        () => startBare({ directory }),
        (server) => put(server, 'none'),
      )
    },
  })
  return rowOf(`${NAME}, new store`, 'embedded', times, GOAL_NEW_EMBEDDED_S)
}

interface Times {
  product: Spread
  bare: Spread
}

async function inTurns(
  stage: Stage,
  sides: Record<keyof Times, () => Promise<number>>,
): Promise<Times> {
  const product: number[] = []
  const bare: number[] = []
  for (let round = 0; round < stage.effort.rounds; round += 1) {
    product.push(await sides.product())
    bare.push(await sides.bare())
  }
  return { product: spreadOf(product), bare: spreadOf(bare) }
}

async function secondsTo(
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

function rowOf(figure: string, store: StoreKind, times: Times, goal: number | undefined): Row {
  return {
    figure,
    store,
    subject: `${times.product.median.toFixed(2)} s`,
    limit: `${times.bare.median.toFixed(2)} s`,
    result: times.product,
    unit: 's',
    goal,
    measured: times,
  }
}

async function readKey(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).trim()
}

async function get(server: RunningServer, key: string): Promise<void> {
  await ask(server, `/api/dataproducts/${id}`, { headers: { 'x-api-key': key } })
}

async function put(server: RunningServer, key: string): Promise<void> {
  await ask(server, `/api/dataproducts/${id}`, {
    method: 'PUT',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: text(0),
  })
}

async function ask({ url }: RunningServer, path: string, request: RequestInit): Promise<void> {
  const response = await fetch(`${url}${path}`, request)
  const answer = await response.text()
  if (response.status !== 200) throw new Error(`${response.status}: ${answer}`)
}
