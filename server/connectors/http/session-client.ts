import { openHttpClient } from '../../kit/http-client.ts'
import type { Setup } from '../connector.ts'
import type { Credentials } from './credentials.ts'
import { newJsonClient, type JsonClient, type JsonClientOptions } from './json-client.ts'
import { newTransport, type Transport, type TransportOptions } from './transport.ts'

/** The client of one session with a source. */
export interface SessionClient {
  client: JsonClient
  /**
   * Creates a client whose requests end with another signal, such as the one that cancels a statement. It
   * shares connections and credentials.
   */
  newClient(signal: AbortSignal): JsonClient
  close(): void
}

/** The peculiarities of a source, and its credentials. */
export interface SessionClientOptions
  extends TransportOptions, Omit<JsonClientOptions, 'transport' | 'credentials'> {
  connectionsMax: number
  /** Creates the credentials, whose tokens are requested through the transport. */
  newCredentials(transport: Transport): Credentials
}

/** Opens the client of a session; the first request authenticates. Errors: those of newCredentials. */
export async function openSessionClient(
  setup: Setup,
  { connectionsMax, newCredentials, ...options }: SessionClientOptions,
): Promise<SessionClient> {
  const http = await openHttpClient(setup.dialer, { connectionsMax })
  try {
    const open = (signal: AbortSignal): Transport =>
      newTransport(http, { ...setup, signal }, options)
    const transport = open(setup.signal)
    const credentials = newCredentials(transport)
    return {
      client: newJsonClient({ ...options, transport, credentials }),
      newClient: (signal) => newJsonClient({ ...options, transport: open(signal), credentials }),
      close: () => http.close(),
    }
  } catch (error) {
    http.close()
    throw error
  }
}
