import { openHttpClient } from '../../platform/kit/http-client.ts'
import { SourceFailure, type Setup } from '../connector.ts'
import { requestClientToken } from '../http/client-credentials.ts'
import { newRenewableCredentials } from '../http/credentials.ts'
import { newTransport, type Wait } from '../http/transport.ts'
import type { EntraApplication } from './configuration.ts'

const SERVICE = 'Microsoft Entra ID'
const BEARER = 'Bearer '

/** The national clouds, by the ends of the host names of their databases. */
const CLOUDS: readonly (readonly [string, Cloud])[] = [
  [
    '.usgovcloudapi.net',
    { authority: 'login.microsoftonline.us', resource: 'database.usgovcloudapi.net' },
  ],
  [
    '.chinacloudapi.cn',
    { authority: 'login.chinacloudapi.cn', resource: 'database.chinacloudapi.cn' },
  ],
]
const PUBLIC_CLOUD: Cloud = {
  authority: 'login.microsoftonline.com',
  resource: 'database.windows.net',
}

interface Cloud {
  authority: string
  resource: string
}

/** The access tokens of one session, with which connections authenticate. */
export interface EntraTokens {
  /** Returns a valid token. Errors: SourceFailure auth, and those of the transport. */
  getToken(): Promise<string>
  close(): void
}

/** Creates the tokens of an application for the databases of a host; `wait` delays requests. */
export async function openEntraTokens(
  application: EntraApplication,
  host: string,
  setup: Setup,
  wait?: Wait,
): Promise<EntraTokens> {
  const http = await openHttpClient(setup.dialer, { connectionsMax: 1 })
  const transport = newTransport(http, setup, { service: SERVICE, wait })
  const { authority, resource } = findCloud(host)
  const { tenantId, clientId, tokenEndpoint } = application
  const endpoint = new URL(tokenEndpoint ?? `https://${authority}/${tenantId}/oauth2/v2.0/token`)
  const credentials = newRenewableCredentials(
    async () =>
      await requestClientToken(
        {
          endpoint,
          clientId,
          clientSecret: setup.secrets['clientSecret'] ?? '',
          scope: `https://${resource}/.default`,
        },
        transport,
      ),
  )
  return {
    async getToken() {
      const { authorization = '' } = await credentials.headers({ method: 'POST', url: endpoint })
      if (authorization.startsWith(BEARER)) return authorization.slice(BEARER.length)
      throw new SourceFailure('auth', `${SERVICE} issued no token`)
    },
    close: () => http.close(),
  }
}

function findCloud(host: string): Cloud {
  return CLOUDS.find(([end]) => host.toLowerCase().endsWith(end))?.[1] ?? PUBLIC_CLOUD
}
