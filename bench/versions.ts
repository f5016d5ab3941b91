import { documentTemplate, PRODUCTS_COUNT } from './documents.ts'
import type { RunningServer } from './servers.ts'

/** Counts the versions of all products. */
export async function countVersions({ url }: RunningServer, key: string): Promise<number> {
  let count = 0
  for (let at = 0; at < PRODUCTS_COUNT; at += 1) {
    const { id } = documentTemplate(at)
    const response = await fetch(`${url}/api/dataproducts/${id}/versions`, {
      headers: { 'x-api-key': key },
    })
    const [newest] = (await response.json()) as { version: number }[]
    count += newest?.version ?? 0
  }
  return count
}
