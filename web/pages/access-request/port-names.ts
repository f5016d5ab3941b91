import { useQueries } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { portQuery, type RequestConsumer } from '../../documents/access/access-queries.ts'
import type { BasketItem } from '../../shell/access-basket.ts'

/** An output port as it is loaded; undefined = not yet, or it does not exist. */
export type LoadedPort = Schemas['RequestablePort'] | undefined

/** Loads output ports, in their order. */
export function usePorts(items: readonly BasketItem[], consumer?: RequestConsumer): LoadedPort[] {
  const results = useQueries({
    queries: items.map(({ productId, port }) => portQuery(productId, port, consumer)),
  })
  return results.map(({ data }) => data)
}

/** Returns the name of an output port with that of its data product; their ids until they are loaded. */
export function getPortName({ productId, port }: BasketItem, loaded: LoadedPort): string {
  return loaded === undefined
    ? `${productId}: ${port}`
    : `${loaded.productName}: ${loaded.port.name}`
}
