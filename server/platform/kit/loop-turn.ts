let waiting: (() => void)[] = []
let next = 0

/**
 * Waits for a turn of the event loop that no other caller gets. Callers take turns in their order, so that large
 * answers, however many are created and sent at once, delay small requests by one step of one of them, not of each.
 */
export async function takeLoopTurn(): Promise<void> {
  await new Promise<void>((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(startNext)
  })
}

function startNext(): void {
  waiting[next]?.()
  next += 1
  if (next < waiting.length) setImmediate(startNext)
  else {
    waiting = []
    next = 0
  }
}

/** The items that are mapped in one turn of the event loop. */
export interface TurnSize<Item> {
  /** Returns the size of an item. */
  measure(item: Item): number
  /** The maximum size of the items of a turn, unless one is larger. */
  sizeMax: number
}

/** Maps items as `Array.map` does, with a turn of the event loop between every few of them. */
export async function mapInLoopTurns<Item, Result>(
  items: readonly Item[],
  { measure, sizeMax }: TurnSize<Item>,
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  let size = 0
  for (const item of items) {
    const itemSize = measure(item)
    if (size > 0 && size + itemSize > sizeMax) {
      await takeLoopTurn()
      size = 0
    }
    size += itemSize
    results.push(map(item))
  }
  return results
}
