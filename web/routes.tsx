import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
  type RouteComponent,
} from '@tanstack/react-router'
import { chooseOrganization } from './api/organization.ts'
import { sessionQuery, startSession } from './api/session.ts'
import { teamsQuery } from './api/teams.ts'
import { paths } from './paths.ts'
import { lazyPage } from './shell/chunks.ts'
import { FailedPage, NoPage, PendingPage } from './shell/failed-page.tsx'
import { Shell } from './shell/shell.tsx'
import { parseQuery, stringifyQuery } from './shell/url-state.ts'

interface Context {
  queries: QueryClient
}

const root = createRootRouteWithContext<Context>()({ component: Outlet })

// Pages for who is not signed in yet.
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyPage(() => import('./pages/sign-in/page.tsx'), 'SignInPage'),
})
const setUp = createRoute({
  getParentRoute: () => root,
  path: '/set-up',
  component: lazyPage(() => import('./pages/set-up/page.tsx'), 'SetUpPage'),
})
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyPage(() => import('./pages/invitation/page.tsx'), 'InvitationPage'),
})
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyPage(() => import('./pages/reset-password/page.tsx'), 'ResetPasswordPage'),
})

const guide = createRoute({
  getParentRoute: () => root,
  path: '/guides/$id',
  component: lazyPage(() => import('./pages/guide/page.tsx'), 'GuidePage'),
})

// Everything else is shown to who is signed in.
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  async beforeLoad({ context, location }) {
    const isFirstLook = context.queries.getQueryData(sessionQuery.queryKey) === undefined
    const session = await context.queries.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ href: paths.signIn(location.href) })
    // The organization that the tab remembers may be gone; the server then uses the person's first. Later
    // changes are handled by useAccessChanges.
    if (!isFirstLook) return
    chooseOrganization(session.organization?.id)
    // Most pages show names of teams; without them they would show ids first.
    if (session.organization !== null) void context.queries.prefetchQuery(teamsQuery)
  },
})

const page = (path: string, component: RouteComponent) =>
  createRoute({ getParentRoute: () => signedIn, path, component })

const moved = (path: string, href: string) =>
  createRoute({
    getParentRoute: () => signedIn,
    path,
    beforeLoad: () => {
      throw redirect({ href, replace: true })
    },
  })

const home = lazyPage(() => import('./pages/home/page.tsx'), 'HomePage')
const activity = lazyPage(() => import('./pages/activity/page.tsx'), 'ActivityPage')
const domains = lazyPage(() => import('./pages/domains/page.tsx'), 'DomainsPage')
const domain = lazyPage(() => import('./pages/domains/domain-page.tsx'), 'DomainPage')
const search = lazyPage(() => import('./pages/search/page.tsx'), 'SearchPage')
const product = lazyPage(() => import('./pages/data-product/page.tsx'), 'DataProductPage')
const productEdit = lazyPage(
  () => import('./pages/data-product/edit-page.tsx'),
  'EditDataProductPage',
)
const productVersions = lazyPage(
  () => import('./pages/data-product/versions-page.tsx'),
  'DataProductVersionsPage',
)
const productLineage = lazyPage(
  () => import('./pages/data-product/lineage-page.tsx'),
  'LineagePage',
)
const contract = lazyPage(() => import('./pages/data-contract/page.tsx'), 'DataContractPage')
const contractEdit = lazyPage(
  () => import('./pages/data-contract/edit-page.tsx'),
  'EditDataContractPage',
)
const contractVersions = lazyPage(
  () => import('./pages/data-contract/versions-page.tsx'),
  'DataContractVersionsPage',
)
const teams = lazyPage(() => import('./pages/teams/page.tsx'), 'TeamsPage')
const team = lazyPage(() => import('./pages/team/page.tsx'), 'TeamPage')
const teamEdit = lazyPage(() => import('./pages/team/edit-page.tsx'), 'EditTeamPage')
const assets = lazyPage(() => import('./pages/assets/page.tsx'), 'AssetsPage')
const asset = lazyPage(() => import('./pages/asset/page.tsx'), 'AssetPage')
const integrations = lazyPage(() => import('./pages/integrations/page.tsx'), 'IntegrationsPage')
const integration = lazyPage(() => import('./pages/integration/page.tsx'), 'IntegrationPage')
const integrationEdit = lazyPage(
  () => import('./pages/integration/edit-page.tsx'),
  'EditIntegrationPage',
)
const run = lazyPage(() => import('./pages/run/page.tsx'), 'RunPage')
const apiKeys = lazyPage(() => import('./pages/api-keys/page.tsx'), 'ApiKeysPage')
const settings = lazyPage(() => import('./pages/settings/page.tsx'), 'SettingsPage')
const members = lazyPage(() => import('./pages/settings/members-page.tsx'), 'MembersPage')
const profile = lazyPage(() => import('./pages/settings/profile-page.tsx'), 'ProfilePage')
const about = lazyPage(() => import('./pages/settings/about-page.tsx'), 'AboutPage')
const reference = lazyPage(() => import('./pages/reference/page.tsx'), 'ReferencePage')

/** Every address of the pages. `paths.ts` builds the links to them. */
const tree = root.addChildren([
  signIn,
  setUp,
  invitation,
  resetPassword,
  guide,
  signedIn.addChildren([
    page('/', home),
    page('/search', search),
    page('/activity', activity),
    page('/domains', domains),
    page('/domains/$id', domain),

    moved('/data-products', paths.dataProducts),
    page('/data-products/new', productEdit),
    page('/data-products/$id', product),
    page('/data-products/$id/edit', productEdit),
    page('/data-products/$id/versions', productVersions),
    page('/data-products/$id/lineage', productLineage),

    moved('/data-contracts', paths.dataContracts),
    page('/data-contracts/new', contractEdit),
    page('/data-contracts/$id', contract),
    page('/data-contracts/$id/edit', contractEdit),
    page('/data-contracts/$id/versions', contractVersions),

    page('/teams', teams),
    page('/teams/new', teamEdit),
    page('/teams/$id', team),
    page('/teams/$id/edit', teamEdit),

    page('/assets', assets),
    page('/assets/$id', asset),

    page('/integrations', integrations),
    page('/integrations/new', integrationEdit),
    page('/integrations/$id', integration),
    page('/integrations/$id/edit', integrationEdit),
    page('/integrations/$id/runs/$runId', run),

    page('/api-keys', apiKeys),
    page('/settings', settings),
    page('/settings/members', members),
    page('/settings/profile', profile),
    page('/settings/about', about),
    page('/reference', reference),
    page('/$', NoPage),
  ]),
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
