/** The servers of peers, one record each. */

import type { PeerServer } from './server.ts'

/** Answers like AWS, for every access key and without pages. */
export const MOTO: PeerServer = {
  peer: 'moto',
  executable: 'bin/moto_server',
  getArguments: (port) => ['-H', '127.0.0.1', '-p', String(port)],
  readyPath: '/moto-api/data.json',
}
