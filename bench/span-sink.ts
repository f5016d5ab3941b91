/** A collector in a process of its own, which accepts everything and reads nothing. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((request, response) => {
  request.resume()
  request.once('end', () => response.writeHead(200).end())
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.(`http://127.0.0.1:${port}/v1/traces`)
})
process.once('disconnect', () => process.exit(0))
