import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { nextPageLink, pageParameter } from '../../requests/http/paging.ts'
import { getStars, listStargazers as listStargazersOf, setStar } from './service.ts'
import { starCount, stargazer } from './star.ts'

/** `GET /api/dataproducts/{id}/star`: the stars of a data product. */
export const getStar: Endpoint<'id'> = {
  operation: 'getDataProductStar',
  summary: 'Read the number of stars of a data product',
  permission: 'any key',
  answers: { 200: { description: 'The stars', schema: starCount } },
  async handle({ services, caller, params: { id } }) {
    return jsonAnswer(200, starCount, await getStars(services.db, caller, id))
  },
}

const NO_PERSON = describeError('The key belongs to a team or an organization, not to a person')

/** `PUT /api/dataproducts/{id}/star`: stars a data product. */
export const putStar: Endpoint<'id'> = {
  operation: 'putDataProductStar',
  summary: 'Star a data product',
  description: 'Needs a personal key or a session. Starring again changes nothing.',
  permission: 'any key',
  answers: {
    204: { description: 'The product is starred' },
    403: NO_PERSON,
    409: describeError('You follow as much as you can'),
  },
  async handle({ services, caller, params: { id } }) {
    await setStar(services, caller, id, true)
    return { status: 204 }
  },
}

/** `DELETE /api/dataproducts/{id}/star`: removes the star of a data product. */
export const deleteStar: Endpoint<'id'> = {
  operation: 'deleteDataProductStar',
  summary: 'Remove the star of a data product',
  description: 'Needs a personal key or a session. Without a star, nothing changes.',
  permission: 'any key',
  answers: { 204: { description: 'The product is not starred' }, 403: NO_PERSON },
  async handle({ services, caller, params: { id } }) {
    await setStar(services, caller, id, false)
    return { status: 204 }
  },
}

const stargazersQuery = z.object({ p: pageParameter })

/** `GET /api/dataproducts/{id}/stargazers`: the people who starred a data product. */
export const listStargazers: Endpoint<'id', z.infer<typeof stargazersQuery>> = {
  operation: 'listStargazers',
  summary: 'List the people who starred a data product',
  description: 'For owners of the owning team and of the organization.',
  permission: 'any key',
  query: stargazersQuery,
  answers: {
    200: {
      description: 'At most 1000 people, the first one first',
      schema: z.array(stargazer),
      headers: { link: 'The next page, if any' },
    },
    403: describeError('The caller is not an owner'),
  },
  async handle({ services, caller, params: { id }, query: { p: page }, path, search }) {
    const { elements: stargazers, hasMore } = await listStargazersOf(services.db, caller, id, page)
    const headers = hasMore ? { link: nextPageLink(path, search, page) } : {}
    return jsonAnswer(200, z.array(stargazer), stargazers, headers)
  },
}
