import { OWNER_TEAM } from './documents.ts'
import { comparePairs, type Figure } from './figure.ts'
import type { Pair } from './stage.ts'

const SPEED_MIN = 0.97

/** GET of a product by a key that is limited to permissions. */
export const limitedKey: Figure = {
  name: 'limited-key',
  title: 'GET a product by id with a limited key of a team, against one without a limit',
  async *measure(stage) {
    yield* comparePairs(stage, this.name, SPEED_MIN, async (pair) => {
      const limited = await createKey(pair, ['DATAPRODUCT_ADD', 'DATAPRODUCT_EDIT'])
      const whole = await createKey(pair, null)
      const get = { server: pair.product, kind: 'get' } as const
      return [
        { ...get, key: limited },
        { ...get, key: whole },
      ]
    })
  },
}

async function createKey({ product, key }: Pair, permissions: string[] | null): Promise<string> {
  const response = await fetch(`${product.url}/api/api-keys`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ scope: 'team', teamId: OWNER_TEAM.id, permissions }),
  })
  if (response.status !== 201) throw new Error(await response.text())
  return ((await response.json()) as { key: string }).key
}
