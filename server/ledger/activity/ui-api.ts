import { z } from '@hono/zod-openapi'
import { asOfParameter } from '../history/revision.ts'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import {
  activityChangesPage,
  activityPage,
  CHANGES_MAX,
  GROUPS_MAX,
  USUAL_KINDS,
  type ActivityFilters,
  type ChangeKey,
  type GroupKey,
  actorParameter,
  filterParameters,
  limitParameter,
} from './activity.ts'
import { EXPORT_FORMATS, exportAnswered, toExportAnswer } from './api.ts'
import { listActivity, listActors, listActivityChanges, nameVisiblePrincipals } from './service.ts'
import { namedPrincipal, PRINCIPALS_MAX } from '../principals/principal.ts'

const CURSOR_CHARACTERS_MAX = 2000
const GROUPS_USUAL = 20

const groupCursor = z
  .string()
  .max(CURSOR_CHARACTERS_MAX)
  .transform((text, context): GroupKey => {
    const [minute, actorOfGroup] = splitOnce(text)
    const instant = asOfParameter.safeParse(minute)
    if (instant.success && instant.data !== undefined && actorOfGroup !== '') {
      return { minute: instant.data, actor: actorOfGroup }
    }
    context.addIssue('must be the `next` of a page')
    return z.NEVER
  })
  .optional()
  .openapi({ type: 'string', description: 'The `next` of the page before' })

const CHANGE_CURSOR = /^(?<rank>\d) (?<kind>[a-z-]{1,40}) (?<position>\d{1,18}) (?<id>[^]*)$/

const changeCursor = z
  .string()
  .max(CURSOR_CHARACTERS_MAX)
  .transform((text, context): ChangeKey => {
    const parts = CHANGE_CURSOR.exec(text)?.groups
    if (parts !== undefined) {
      const { rank, kind = '', position = '', id = '' } = parts
      return { rank: Number(rank), kind, position, id }
    }
    context.addIssue('must be the `next` of a page')
    return z.NEVER
  })
  .optional()
  .openapi({ type: 'string', description: 'The `next` of the page before' })

const activityQuery = z.object({
  ...filterParameters,
  actor: actorParameter.optional().openapi({ description: 'Made by this principal' }),
  after: groupCursor,
  limit: limitParameter(GROUPS_USUAL, GROUPS_MAX),
})

const changesQuery = z.object({
  ...filterParameters,
  actor: actorParameter.openapi({ description: 'The actor of the group' }),
  minute: asOfParameter
    .transform((instant) => instant ?? '')
    .refine((instant) => instant !== '', 'is required')
    .openapi({ type: 'string', format: 'date-time', description: 'The minute of the group' }),
  after: changeCursor,
  limit: limitParameter(CHANGES_MAX, CHANGES_MAX),
})

const actors = z.array(z.object({ principal: z.string(), name: z.string() }))

/** `GET /ui/activity`: lists changes, grouped by actor and minute. */
export const getActivity: Endpoint<never, z.infer<typeof activityQuery>> = {
  operation: 'getActivity',
  summary: 'List changes, grouped by actor and minute',
  lane: 'scan',
  permission: 'a session',
  query: activityQuery,
  answers: { 200: { description: 'The newest groups first', schema: activityPage } },
  async handle({ services, caller, query }) {
    const { after, limit } = query
    const chosen = { ...toFilters(query), actor: query.actor }
    const page = await listActivity(services, caller, chosen, { after, limit })
    return jsonAnswer(200, activityPage, page)
  },
}

/** `GET /ui/activity/changes`: lists all changes of a group. */
export const getActivityChanges: Endpoint<never, z.infer<typeof changesQuery>> = {
  operation: 'getActivityChanges',
  summary: 'List the changes that one actor made in one minute',
  lane: 'scan',
  permission: 'a session',
  query: changesQuery,
  answers: { 200: { description: 'Breaking changes first', schema: activityChangesPage } },
  async handle({ services, caller, query }) {
    const { after, limit, actor: actorOfGroup, minute } = query
    const page = { group: { minute, actor: actorOfGroup }, after, limit }
    return jsonAnswer(
      200,
      activityChangesPage,
      await listActivityChanges(services, caller, toFilters(query), page),
    )
  },
}

const exportQuery = z.object({
  ...filterParameters,
  actor: actorParameter.optional().openapi({ description: 'Made by this principal' }),
  format: z.enum(EXPORT_FORMATS),
  organization: z.string().optional().openapi({
    description: 'The id of the organization, because a link has no headers',
  }),
})

/** `GET /ui/activity/export`: downloads the activity that matches the filters of the page. */
export const exportActivity: Endpoint<never, z.infer<typeof exportQuery>> = {
  operation: 'exportActivity',
  summary: 'Download the activity that matches the filters of the page',
  lane: 'scan',
  permission: 'a session',
  query: exportQuery,
  answers: { 200: exportAnswered },
  async handle({ services, caller, query }) {
    const filters = { ...toFilters(query), actor: query.actor }
    return toExportAnswer(services, caller, filters, query.format)
  },
}

/** `GET /ui/activity/actors`: lists the actors of the filter. */
export const getActivityActors: Endpoint = {
  operation: 'getActivityActors',
  summary: 'List the members and API keys that activity can be filtered by',
  permission: 'a session',
  answers: { 200: { description: 'Members, then API keys, by name', schema: actors } },
  async handle({ services, caller }) {
    return jsonAnswer(200, actors, await listActors(services, caller))
  },
}

function toFilters(query: {
  kind?: ActivityFilters['kinds']
  level?: ActivityFilters['levels']
  team?: string | undefined
  since?: string | undefined
  until?: string | undefined
}): ActivityFilters {
  const { kind = USUAL_KINDS, level, team, since, until } = query
  return { kinds: kind, levels: level, team, since, until }
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf(' ')
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

const principalQuery = z.object({
  id: z
    .union([z.string().transform((text) => [text]), z.array(z.string())])
    .default([])
    .refine((ids) => ids.length <= PRINCIPALS_MAX, `must be given at most ${PRINCIPALS_MAX} times`)
    .openapi({
      type: 'array',
      items: { type: 'string' },
      description: 'A principal such as `user:<uuid>`; may repeat',
    }),
})

const answer = z.array(namedPrincipal)

/** `GET /ui/principals`: returns the names of principals. */
export const listPrincipals: Endpoint<never, z.infer<typeof principalQuery>> = {
  operation: 'listPrincipals',
  summary: 'Get the names of principals',
  permission: 'a session',
  query: principalQuery,
  answers: {
    200: { description: 'Each principal once, in the order of the request', schema: answer },
  },
  async handle({ services, caller, query }) {
    const named = await nameVisiblePrincipals(services, caller, query.id)
    return jsonAnswer(200, answer, named)
  },
}
