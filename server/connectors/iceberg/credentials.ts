import type { Setup } from '../connector.ts'
import { requestClientToken } from '../http/client-credentials.ts'
import {
  newRenewableCredentials,
  newTokenCredentials,
  NO_CREDENTIALS,
  type Credentials,
} from '../http/credentials.ts'
import type { Transport } from '../http/transport.ts'
import type { IcebergConfiguration } from './configuration.ts'

/** Creates the credentials of one session; the first request fetches a token. */
export function newCredentials(
  configuration: IcebergConfiguration,
  secrets: Setup['secrets'],
  transport: Transport,
): Credentials {
  const { authentication, uri, tokenEndpoint, clientId = '', scope } = configuration
  switch (authentication) {
    case 'none':
      return NO_CREDENTIALS
    case 'token':
      return newTokenCredentials(secrets['token'] ?? '')
    case 'oauth2': {
      const endpoint = new URL(tokenEndpoint ?? `${uri.replace(/\/+$/, '')}/v1/oauth/tokens`)
      const client = {
        endpoint,
        clientId,
        clientSecret: secrets['clientSecret'] ?? '',
        // Iceberg's own clients request this scope from the catalog; other endpoints have different
        // scopes.
        scope: scope ?? (tokenEndpoint === undefined ? 'catalog' : undefined),
      }
      return newRenewableCredentials(() => requestClientToken(client, transport))
    }
  }
}
