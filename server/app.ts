import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { timingSafeEqual } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { Hono } from 'hono'
import { api, pageDocuments } from './api.ts'
import { ui } from './ui.ts'
import { ApiError, unknownAddress } from './platform/errors.ts'
import {
  getQuery,
  getTarget,
  type HttpContext,
  type HttpEnvironment,
  type Pipeline,
} from './requests/http/context.ts'
import type { Surface } from './requests/http/credentials.ts'
import type { Route } from './requests/http/endpoint.ts'
import { prefersDocument, acceptsHtml } from './requests/http/negotiation.ts'
import { openApiDocument } from './requests/http/openapi.ts'
import { createPageRoutes } from './requests/http/page-routes.ts'
import { loadPages, type Pages } from './requests/http/pages.ts'
import { rawPath, findRoutes, matchRoute } from './requests/http/path.ts'
import { answerPublic, answerRouted, answerUnrouted } from './requests/http/pipeline.ts'
import { answerReadiness, requireWritable } from './requests/http/writes.ts'
import { hashToken } from './platform/kit/token.ts'
import { addBackChannelLogout } from './people/providers/logout-api.ts'
import { unsubscribe } from './notices/notification-mails/unsubscribe-service.ts'
import { VERSION } from './platform/version.ts'

/** The options of the app. */
interface AppOptions {
  /** The Bearer token for `/metrics`; undefined = not served here. */
  metricsToken: string | undefined
  /** The folder of the built pages; absent = that of this program. */
  pagesDirectory?: string
}

const READS = new Set(['GET', 'HEAD'])

const GUIDES = fileURLToPath(new URL('../docs/guides/', import.meta.url))
const PAGES = fileURLToPath(new URL('../web/dist/', import.meta.url))

/** Creates the app: all routes of the API and the UI, and the pages. */
export function createApp(pipeline: Pipeline, options: AppOptions): Hono<HttpEnvironment> {
  const app = new Hono<HttpEnvironment>({
    // Routes match the raw path, because a URL parser would have removed dot segments.
    getPath: (request, given) => rawPath(getTarget(request, given?.env?.incoming)),
  })
  const pages = loadPages(options.pagesDirectory ?? PAGES)
  addPublicRoutes(app, pipeline, pages, options)
  addOneClickUnsubscribe(app, pipeline)
  addBackChannelLogout(app, pipeline)
  addRoutes(app, pipeline, 'api', api)
  addRoutes(app, pipeline, 'ui', ui)
  const pageRoutes = createPageRoutes(api, pageDocuments)
  app.notFound(async (context) => {
    const { method, raw } = context.req
    const path = readPath(context)
    if (READS.has(method) && pageRoutes.isDocumentPage(path) && prefersDocument(raw.headers)) {
      return await answerDocument(pipeline, context, pageRoutes.find(path))
    }
    const page = READS.has(method) ? pages.answer(path, raw.headers) : undefined
    const pattern = page === undefined ? 'unmatched' : 'page'
    return await answerPublic(pipeline, context, pattern, async () => {
      if (page === undefined) throw unknownAddress()
      return page
    })
  })
  return app
}

/** Answers a program at the address of a page: the document, through the same checks as the API. */
async function answerDocument(
  pipeline: Pipeline,
  context: HttpContext,
  route: Route | undefined,
): Promise<Response> {
  const response =
    route === undefined
      ? await answerUnrouted(pipeline, context, 'api', [])
      : await answerRouted(pipeline, context, 'api', route)
  response.headers.set('vary', 'Accept')
  return response
}

function addRoutes(
  app: Hono<HttpEnvironment>,
  pipeline: Pipeline,
  surface: Surface,
  routes: readonly Route[],
): void {
  const groups = Map.groupBy(routes, getSlashPrefix)
  for (const route of groups.get(undefined) ?? []) {
    app.on(route.method, honoPath(route.path), (context) =>
      answerRouted(pipeline, context, surface, route),
    )
  }
  // Paths whose ids may have slashes are matched here, because the router's patterns end at a slash.
  for (const [prefix, group] of groups) {
    if (prefix === undefined) continue
    app.all(`${honoPath(prefix)}*`, async (context) => {
      const method = context.req.method === 'HEAD' ? 'GET' : context.req.method
      const matches = findRoutes(group, readPath(context))
      const route = matches.find((one) => one.method === method)
      if (route !== undefined) return await answerRouted(pipeline, context, surface, route)
      return await answerNothing(context)
    })
  }
  app.all(`/${surface}/*`, answerNothing)

  function answerNothing(context: HttpContext): Promise<Response> {
    const path = readPath(context)
    const methods = listMethods(findRoutes(routes, path))
    return answerUnrouted(pipeline, context, surface, methods, adviseOnId(routes, context, path))
  }
}

function readPath({ req, env }: HttpContext): string {
  return rawPath(getTarget(req.raw, env?.incoming))
}

// An id with slashes may end like another address.
function adviseOnId(routes: readonly Route[], { req }: HttpContext, path: string): string {
  const isId = routes.some(
    (route) => route.method === req.method && matchRoute(route, path) !== undefined,
  )
  return isId ? ' If this is an id, write its last slash as %2F.' : ''
}

function addPublicRoutes(
  app: Hono<HttpEnvironment>,
  pipeline: Pipeline,
  pages: Pages,
  { metricsToken }: AppOptions,
): void {
  const { services, metrics } = pipeline
  let openApi: string | undefined
  const open = (
    method: string,
    path: string,
    work: (request: Request) => Promise<Response>,
  ): void => {
    app.on(method, path, (context) =>
      answerPublic(pipeline, context, path, () => work(context.req.raw)),
    )
  }
  open('GET', '/healthz', async () => json('{"status":"ok"}'))
  app.get('/readyz', (context) =>
    answerPublic(pipeline, context, '/readyz', () =>
      answerReadiness(services, new URLSearchParams(getQuery(context))),
    ),
  )
  // Created on the first request, so that it does not delay the start.
  open('GET', '/openapi.json', async () => {
    openApi ??= JSON.stringify(openApiDocument(api, VERSION))
    return json(openApi)
  })
  open('GET', '/metrics', async (request) => {
    requireToken(request, metricsToken)
    const { text, mediaType } = await metrics.render()
    return new Response(text, { headers: { 'content-type': mediaType } })
  })
  for (const [name, text] of readGuides()) {
    const path = `/guides/${name}`
    // Browsers get the page of the guide, other clients its text.
    open('GET', path, async ({ headers }) => {
      return (acceptsHtml(headers) ? pages.answer(path, headers) : undefined) ?? markdown(text)
    })
  }
}

// Mail programs post to the link of a message without a session (RFC 8058). Its token is the proof; the body, which is
// always the same, is not read. GET is the page with the button, because programs that check links open them.
function addOneClickUnsubscribe(app: Hono<HttpEnvironment>, pipeline: Pipeline): void {
  const { services } = pipeline
  app.post('/unsubscribe', (context) =>
    answerPublic(pipeline, context, '/unsubscribe', async () => {
      requireWritable(services)
      await unsubscribe(services, new URLSearchParams(getQuery(context)).get('token') ?? '')
      return new Response(null, { status: 204 })
    }),
  )
}

/** Reads the guides, also those of sources, by the names of their files. */
function readGuides(): Map<string, string> {
  const files = readdirSync(GUIDES, { recursive: true, encoding: 'utf8' })
  return new Map(
    files
      .filter((file) => file.endsWith('.md'))
      .map((file) => [basename(file, '.md'), readFileSync(join(GUIDES, file), 'utf8')]),
  )
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

function getSlashPrefix({ path, slashParameter }: Route): string | undefined {
  return slashParameter === undefined
    ? undefined
    : path.slice(0, path.indexOf(`{${slashParameter}}`))
}

/** Lists the allowed methods of a path, for a request with another method. */
function listMethods(routes: readonly Route[]): string[] {
  const methods = new Set<string>(routes.map((route) => route.method))
  if (methods.has('GET')) methods.add('HEAD')
  return [...methods].toSorted()
}

function requireToken(request: Request, token: string | undefined): void {
  if (token === undefined) {
    throw new ApiError(
      'credentials_missing',
      'Metrics are disabled here. Set PORTBOOK_METRICS_TOKEN, or PORTBOOK_METRICS_PORT for a separate port.',
    )
  }
  const sent = request.headers.get('authorization') ?? ''
  // All hashes have the same length, so the comparison takes constant time.
  if (!timingSafeEqual(hashToken(sent), hashToken(`Bearer ${token}`))) {
    throw new ApiError('credentials_unknown', 'Send the metrics token as Authorization: Bearer.')
  }
}

function json(body: string): Response {
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}

function markdown(body: string): Response {
  return new Response(body, {
    headers: {
      'content-type': 'text/markdown; charset=utf-8',
      'x-content-type-options': 'nosniff',
      vary: 'Accept',
    },
  })
}
