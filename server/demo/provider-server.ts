import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import type { Log } from '../platform/kit/log.ts'
import { newConfiguration, type DemoClient } from './provider-configuration.ts'
import { createQuietly, type ProviderPackage } from './provider-package.ts'
import { newErrorPage, newPeoplePage, PERSON_FIELD, type ProviderPage } from './provider-page.ts'
import { PROVIDER_PEOPLE } from './provider-people.ts'

/**
 * The HTTP server of the provider of the demo. It serves only this machine, because it asks for no password.
 */

/** The only address on which the provider listens. */
const HOST = '127.0.0.1'

/** The path that answers whose provider this is: the id of its client. */
export const ABOUT_PATH = '/about'

const PEOPLE_PATH = /^\/people\/[\w-]{1,100}$/
const FORM_BYTES_MAX = 1024
const HEADERS_TIMEOUT_MS = 10_000

/** A running provider. */
export interface ProviderServer {
  issuer: string
  close(): Promise<void>
}

/** Returns the issuer of a provider that listens on a port. */
export function toIssuer(port: number): string {
  return `http://${HOST}:${port}`
}

/**
 * Listens on a port of the loopback address, 0 for one that the system chooses. Returns undefined if another program
 * listens on it.
 */
export async function listenOnLoopback(
  port: number,
): Promise<{ server: Server; port: number } | undefined> {
  const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS })
  server.listen(port, HOST)
  try {
    await once(server, 'listening')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined
    throw error
  }
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return { server, port: address.port }
}

/** Serves the provider on a server that listens. */
export async function serveProvider(
  oidc: ProviderPackage,
  { server, port }: { server: Server; port: number },
  client: DemoClient,
  log: Log,
): Promise<ProviderServer> {
  const issuer = toIssuer(port)
  const provider = createQuietly(oidc, issuer, await newConfiguration(oidc, client))
  const answer = provider.callback()
  provider.on('server_error', (_context, error) =>
    log.warn({ err: error }, 'the provider of the demo failed'),
  )
  server.on('request', (request, response) => {
    // Another name for the loopback address could be that of a foreign page.
    if (request.headers.host !== new URL(issuer).host) send(response, 421, newErrorPage(WRONG_HOST))
    else if (request.url === ABOUT_PATH) response.end(client.id)
    else if (PEOPLE_PATH.test(request.url ?? '')) {
      askForPerson(provider, client, { request, response }).catch((error: unknown) => {
        log.debug({ err: error }, 'a sign-in at the provider of the demo cannot go on')
        send(response, 400, newErrorPage(ENDED))
      })
    } else void answer(request, response)
  })
  return {
    issuer,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const WRONG_HOST = `Open the provider of the demo at ${HOST}.`
const ENDED = 'It has ended or belongs to another browser. Go back to Portbook and start again.'

/** Shows the people, or continues as the one that was chosen. Errors: those of a sign-in that has ended. */
async function askForPerson(
  provider: Provider,
  { redirectAddress }: DemoClient,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  await provider.interactionDetails(request, response)
  if (request.method !== 'POST') {
    const page = newPeoplePage(request.url ?? '', new URL(redirectAddress).origin)
    send(response, 200, page)
    return
  }
  const subject = (await readForm(request)).get(PERSON_FIELD)
  const person = PROVIDER_PEOPLE.find((one) => one.subject === subject)
  const result =
    person === undefined
      ? { error: 'access_denied', error_description: 'The sign-in was canceled' }
      : { login: { accountId: person.subject } }
  await provider.interactionFinished(request, response, result)
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > FORM_BYTES_MAX) throw new Error('the form is too large')
  }
  return new URLSearchParams(text)
}

function send(response: ServerResponse, status: number, { html, headers }: ProviderPage): void {
  response.writeHead(status, headers).end(html)
}
