import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { hostileRequests, type HostileRequest } from '../test/hostile-requests.ts'

/** The server to attack, and the number of concurrent callers. */
export interface Attack {
  url: string
  key: string
  callers: number
}

// Real callers are other machines, so this process must not take processor time from the server.
setPriority(constants.priority.PRIORITY_LOW)

// The parent process sends only this message.
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
