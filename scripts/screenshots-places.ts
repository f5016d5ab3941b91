/**
 * What there is to look at besides the pages of `test/browser/mesh.ts`: the other views of pages, tasks
 * on top of them, and the pages that one sees before one is signed in.
 */

import type { PlaceInMesh } from '../test/browser/mesh.ts'
import type { Visitor } from '../test/browser/browser.ts'

/** A place that is to be pictured. */
export interface PicturedPlace extends PlaceInMesh {
  /** It is a task on top of a page, which covers what is on the screen and no more. */
  isTask?: boolean
  /** What is done on the page before the picture is taken. */
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
  ['data contract new', '/data-contracts/new'],
  ['assets all', '/assets?clients=open'],
  ['integration of a team', '/integrations/wagon-register'],
  ['integration runs', `${INTEGRATION}?view=runs`],
  ['integration configuration', `${INTEGRATION}?view=configuration`],
  ['integration connection', `${INTEGRATION}/edit?step=connection`],
  ['integration filters', `${INTEGRATION}/edit?step=filters`],
  ['integration details', `${INTEGRATION}/edit?step=details`],
  ['integration review', `${INTEGRATION}/edit?step=review`],
  ['API operation', '/reference?op=putDataProduct'],
  ['guide first hour', '/guides/first-hour'],
]

const TASKS: readonly (readonly [name: string, path: string])[] = [
  ['API key new', '/api-keys?new=key'],
  ['settings organization new', '/settings?new=organization'],
  ['settings members invite', '/settings/members?new=invitation'],
]

/** All places of a mesh for who is signed in: the pages, their other views, and tasks on top of them. */
export function placesInside(pages: readonly PlaceInMesh[]): PicturedPlace[] {
  const pathOf = (name: string): string => pages.find((one) => one.name === name)?.path ?? '/'
  return [
    ...pages,
    ...VIEWS.map(([name, path]) => ({ name, path })),
    ...TASKS.map(([name, path]) => ({ name, path, isTask: true })),
    { name: 'asset history', path: `${pathOf('asset')}?view=history` },
    { name: 'asset document', path: `${pathOf('asset')}?view=document` },
    { name: 'asset description', path: `${pathOf('asset')}?edit=yes`, isTask: true },
    { name: 'run statements', path: `${pathOf('run')}?view=statements` },
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

/** The places for who is not signed in; `invitation` is a link that works once. */
export function placesOutside(invitation: string): PicturedPlace[] {
  return [
    { name: 'sign in', path: '/sign-in' },
    { name: 'invitation', path: invitation },
  ]
}
