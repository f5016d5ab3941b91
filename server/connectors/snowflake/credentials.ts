import type { Setup } from '../connector.ts'
import { requestClientToken } from '../http/client-credentials.ts'
import {
  newRenewableCredentials,
  newTokenCredentials,
  type Credentials,
} from '../http/credentials.ts'
import type { Transport } from '../http/transport.ts'
import { getAddress } from './account.ts'
import type { SnowflakeConfiguration } from './configuration.ts'
import { newKeyPairCredentials, TOKEN_TYPE_HEADER } from './key-pair.ts'

/** Creates the credentials of the configured authentication. Errors: SourceFailure auth. */
export function newCredentials(
  configuration: SnowflakeConfiguration,
  secrets: Setup['secrets'],
  transport: Transport,
): Credentials {
  const { authentication, account, user = '', clientId = '', scope, accountLocator } = configuration
  switch (authentication) {
    case 'keyPair': {
      const { privateKey = '', passphrase } = secrets
      return newKeyPairCredentials({ account, user, privateKey, passphrase })
    }
    case 'token':
      return newTokenCredentials((secrets['token'] ?? '').trim(), {
        [TOKEN_TYPE_HEADER]: 'PROGRAMMATIC_ACCESS_TOKEN',
      })
    case 'oauth': {
      const endpoint = new URL(configuration.tokenEndpoint ?? getAddress(configuration))
      const clientSecret = secrets['clientSecret'] ?? ''
      return newRenewableCredentials(async () => {
        const issued = await requestClientToken(
          { endpoint, clientId, clientSecret, scope },
          transport,
        )
        const headers = {
          ...issued.headers,
          [TOKEN_TYPE_HEADER]: 'OAUTH',
          // With OAuth, an address with the name of an organization does not determine the account.
          ...(accountLocator === undefined ? {} : { 'snowflake-account': accountLocator }),
        }
        return { ...issued, headers }
      })
    }
  }
}
