import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { hostileRequests, type HostileRequest } from '../test/hostile-requests.ts'

/** The server to attack, and the number of callers that send requests at once. */
export interface Attack {
  url: string
  key: string
  callers: number
}

// Callers are other machines: the server must not wait for what they take of this one's processors.
setPriority(constants.priority.PRIORITY_LOW)

// The process that started this one sends nothing else.
const [{ url, key, callers }] = (await once(process, 'message')) as [Attack]
process.disconnect?.()
const waiting = hostileRequests(true)
await Promise.all(
  Array.from({ length: callers }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await send(next)
  }),
)

async function send(request: HostileRequest): Promise<void> {
  const { method, path, text, mediaType = 'application/json' } = request
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': mediaType },
    ...(text === undefined ? {} : { body: text }),
  })
  await answer.arrayBuffer()
}
