import { pages as accessRequest } from './pages/access-request/pages.ts'
import { pages as activity } from './pages/activity/pages.ts'
import { pages as agreement } from './pages/agreement/pages.ts'
import { pages as apiKeys } from './pages/api-keys/pages.ts'
import { pages as asset } from './pages/asset/pages.ts'
import { pages as assets } from './pages/assets/pages.ts'
import { pages as connectors } from './pages/connectors/pages.ts'
import { pages as dataContract } from './pages/data-contract/pages.ts'
import { pages as dataProduct } from './pages/data-product/pages.ts'
import { pages as domains } from './pages/domains/pages.ts'
import { pages as guide } from './pages/guide/pages.ts'
import { pages as home } from './pages/home/pages.ts'
import { pages as integration } from './pages/integration/pages.ts'
import { pages as integrations } from './pages/integrations/pages.ts'
import { pages as invitation } from './pages/invitation/pages.ts'
import { pages as myData } from './pages/my-data/pages.ts'
import { pages as notifications } from './pages/notifications/pages.ts'
import { pages as records } from './pages/records/pages.ts'
import { pages as reference } from './pages/reference/pages.ts'
import { pages as requests } from './pages/requests/pages.ts'
import { pages as resetPassword } from './pages/reset-password/pages.ts'
import { pages as run } from './pages/run/pages.ts'
import { pages as search } from './pages/search/pages.ts'
import { pages as setUp } from './pages/set-up/pages.ts'
import { pages as settings } from './pages/settings/pages.ts'
import { pages as signIn } from './pages/sign-in/pages.ts'
import { pages as team } from './pages/team/pages.ts'
import { pages as teams } from './pages/teams/pages.ts'
import { pages as testResults } from './pages/test-results/pages.ts'
import { pages as unsubscribe } from './pages/unsubscribe/pages.ts'
import type { PageRecord } from './shell/page-record.ts'

/**
 * **Every address of the pages**, a line for each folder, in the order of the navigation. `paths.ts` builds the
 * links to them.
 */
export const pages: readonly PageRecord[] = [
  ...home,
  ...search,
  ...myData,
  ...requests,
  ...accessRequest,
  ...agreement,
  ...activity,
  ...notifications,
  ...domains,
  ...dataProduct,
  ...dataContract,
  ...testResults,
  ...records,
  ...assets,
  ...asset,
  ...teams,
  ...team,
  ...integrations,
  ...integration,
  ...run,
  ...connectors,
  ...apiKeys,
  ...reference,
  ...settings,
  ...signIn,
  ...setUp,
  ...invitation,
  ...resetPassword,
  ...unsubscribe,
  ...guide,
]
