import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { keepOrganization } from './api/organization.ts'
import { sessionQuery, startSession } from './api/session.ts'
import { teamsQuery } from './api/teams.ts'
import { pages } from './pages.ts'
import { paths } from './paths.ts'
import { lazyPage } from './shell/chunks.ts'
import { FailedPage, NoPage, PendingPage } from './shell/failed-page.tsx'
import { PageFrame } from './shell/page-frame.tsx'
import { PagesContext, type PageRecord } from './shell/page-record.ts'
import { Shell } from './shell/shell.tsx'
import { parseQuery, stringifyQuery } from './shell/url-state.ts'

interface Context {
  queries: QueryClient
}

const root = createRootRouteWithContext<Context>()({ component: Outlet })

// All other pages are shown to signed-in users.
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: SignedIn,
  async beforeLoad({ context, location }) {
    const isFirstLook = context.queries.getQueryData(sessionQuery.queryKey) === undefined
    const session = await context.queries.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ href: paths.signIn(location.href) })
    // The organization that the tab remembers may be gone; the server then uses the person's first. Later
    // changes are handled by useAccessChanges.
    if (!isFirstLook) return
    keepOrganization(session.organization?.id)
    // Most pages show names of teams; without them they would show ids first.
    if (session.organization !== null) void context.queries.prefetchQuery(teamsQuery)
  },
})

function SignedIn() {
  return (
    <PagesContext value={pages}>
      <Shell />
    </PagesContext>
  )
}

function isPublic({ seenBy }: PageRecord): boolean {
  return seenBy === 'visitors'
}

function toRoute(record: PageRecord) {
  const { path, load, redirect: href = paths.home } = record
  const getParentRoute = () => (isPublic(record) ? root : signedIn)
  if (load !== undefined) {
    const component = isPublic(record) ? lazyPage(load) : inFrame(record, lazyPage(load))
    return createRoute({ getParentRoute, path, component })
  }
  return createRoute({
    getParentRoute,
    path,
    beforeLoad: () => {
      throw redirect({ href, replace: true })
    },
  })
}

function inFrame(record: PageRecord, Content: ReturnType<typeof lazyPage>) {
  const framed = () => (
    <PageFrame record={record}>
      <Content />
    </PageFrame>
  )
  return Object.assign(framed, { preload: Content.preload })
}

const notFound = createRoute({ getParentRoute: () => signedIn, path: '/$', component: NoPage })
const tree = root.addChildren([
  ...pages.filter(isPublic).map(toRoute),
  signedIn.addChildren([...pages.filter((page) => !isPublic(page)).map(toRoute), notFound]),
])

/** Makes the router of the pages. */
export function newRouter(queries: QueryClient) {
  const router = createRouter({
    routeTree: tree,
    context: { queries },
    parseSearch: parseQuery,
    stringifySearch: stringifyQuery,
    scrollRestoration: true,
    defaultPendingMs: 150,
    defaultPendingComponent: PendingPage,
    defaultErrorComponent: FailedPage,
    defaultNotFoundComponent: NoPage,
  })
  // The code of the first page comes while the session is asked for, both before anything is drawn.
  const [firstRoutes] = router.getMatchedRoutes(globalThis.location.pathname)
  if (firstRoutes.some(({ id }) => id === signedIn.id)) startSession()
  for (const route of firstRoutes) void router.loadRouteChunk(route)
  return router
}
