/**
 * Places for screenshots, in addition to the pages of `test/browser/mesh.ts`: other views of pages, dialogs
 * on top of them, and the pages before sign-in.
 */

import type { PlaceInMesh } from '../test/browser/mesh.ts'
import type { Visitor } from '../test/browser/browser.ts'

/** A place to take a picture of. */
export interface PicturedPlace extends PlaceInMesh {
  /** Whether it is a dialog on top of a page, which only covers the visible screen. */
  isTask?: boolean
  /** Prepares the page before the picture is taken. */
  prepare?: (visitor: Visitor) => Promise<void>
}

const CONTRACT = '/data-contracts/wagon-journeys-v2'
const INTEGRATION = '/integrations/operations-warehouse'

const VIEWS: readonly (readonly [name: string, path: string])[] = [
  ['data contracts', '/search?resourceType=DATA_CONTRACT'],
  ['data product deprecated', '/data-products/wagon-mileage'],
  ['data contract quality', `${CONTRACT}?view=quality`],
  ['data contract servers', `${CONTRACT}?view=servers`],
  ['data contract use', `${CONTRACT}?view=use`],
  ['data contract exports', `${CONTRACT}?view=exports`],
  ['data contract history', `${CONTRACT}?view=history`],
  ['assets all', '/assets?clients=open'],
  ['integration of a team', '/integrations/wagon-register'],
  ['integration runs', `${INTEGRATION}?view=runs`],
  ['integration configuration', `${INTEGRATION}?view=configuration`],
  ['integration connection', `${INTEGRATION}/edit?step=connection`],
  ['integration filters', `${INTEGRATION}/edit?step=filters`],
  ['integration details', `${INTEGRATION}/edit?step=details`],
  ['integration review', `${INTEGRATION}/edit?step=review`],
  ['agreement with a breaking change', '/access/delays-for-punctuality'],
  ['agreement that was not provisioned', '/access/invoices-for-customer-service'],
  ['agreement that begins later', '/access/delays-for-duty-planning'],
  ['agreement rejected', '/access/parties-for-dispatch'],
  ['agreement expired', '/access/journeys-for-dispatch'],
  ['my data requested', '/my-data?view=requested'],
  ['requests ended', '/requests?view=ended'],
  ['API operation', '/reference?op=putDataProduct'],
  ['guide first hour', '/guides/first-hour'],
]

const TASKS: readonly (readonly [name: string, path: string])[] = [
  ['API key new', '/api-keys?new=key'],
  ['settings organization new', '/settings?new=organization'],
  ['settings members invite', '/settings/members?new=invitation'],
]

/** Lists all places of a mesh for a signed-in user: the pages, their other views, and dialogs on top of them. */
export function listPlacesInside(pages: readonly PlaceInMesh[]): PicturedPlace[] {
  const getPath = (name: string): string => pages.find((one) => one.name === name)?.path ?? '/'
  return [
    ...pages,
    ...VIEWS.map(([name, path]) => ({ name, path })),
    ...TASKS.map(([name, path]) => ({ name, path, isTask: true })),
    { name: 'asset history', path: `${getPath('asset')}?view=history` },
    { name: 'asset document', path: `${getPath('asset')}?view=document` },
    { name: 'asset description', path: `${getPath('asset')}?edit=yes`, isTask: true },
    { name: 'run statements', path: `${getPath('run')}?view=statements` },
    {
      name: 'team roles custom',
      path: '/settings/team-roles',
      async prepare({ page }) {
        await page.getByRole('radio', { name: 'Custom roles' }).check()
        await page.getByRole('button', { name: 'Edit Editor' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('Delete what the team owns').uncheck()
        await dialog.getByRole('button', { name: 'Apply' }).click()
        await page.getByText('They lose').waitFor()
      },
    },
    {
      name: 'team role',
      path: '/settings/team-roles',
      isTask: true,
      async prepare({ page }) {
        await page.getByRole('radio', { name: 'Custom roles' }).check()
        await page.getByRole('button', { name: 'Edit Editor' }).click()
        await page.getByRole('dialog').waitFor()
      },
    },
    {
      name: 'palette',
      path: '/',
      isTask: true,
      async prepare({ page }) {
        await page.keyboard.press('Control+k')
        await page.getByPlaceholder('Search the catalog').fill('wagon')
        await page.getByText('results in the catalog').waitFor()
      },
    },
  ]
}

/** Lists the places for a visitor who is not signed in; `invitation` is a link that works once. */
export function listPlacesOutside(invitation: string): PicturedPlace[] {
  return [
    { name: 'sign in', path: '/sign-in' },
    { name: 'invitation', path: invitation },
  ]
}
