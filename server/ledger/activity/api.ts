import { z } from '@hono/zod-openapi'
import type { Caller } from '../../requests/access/caller.ts'
import { asOfParameter } from '../history/revision.ts'
import {
  jsonAnswer,
  type Answer,
  type Endpoint,
  type Services,
} from '../../requests/http/endpoint.ts'
import { negotiate } from '../../requests/http/negotiation.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { nextLink } from '../../requests/http/paging.ts'
import {
  ACTIVITY_LEVELS,
  type ActivityFilters,
  actorParameter,
  filterParameters,
  limitParameter,
  subjectParameter,
} from './activity.ts'
import { ENTRY_KINDS } from './entry.ts'
import type { EntryKey } from './list-store.ts'
import {
  ENTRIES_MAX,
  exportEntries,
  listEntriesAsJson,
  listRequestAsJson,
  REQUEST_MINUTES,
} from './list-service.ts'
import { getSeal } from './seal-service.ts'

const ENTRIES_USUAL = 100

const entry = z
  .object({
    id: z.uuid(),
    at: z.string().openapi({ format: 'date-time' }),
    actor: z.string().openapi({ description: 'A principal, such as `user:<uuid>`' }),
    actorName: z.string().nullable().openapi({ description: 'null = no longer a member or a key' }),
    kind: z.enum(ENTRY_KINDS),
    subject: z.string().openapi({ description: 'The id of the resource' }),
    name: z.string().openapi({
      description:
        'The name of the resource when the entry was made; of a person, the current or last name',
    }),
    action: z.string().openapi({ description: 'A participle: `created`, `role-changed`' }),
    level: z.enum(ACTIVITY_LEVELS).nullable(),
    team: z.string().nullable().openapi({ description: 'The owning team when the entry was made' }),
    versionBefore: z.int().nullable(),
    versionAfter: z.int().nullable().openapi({
      description: 'Of documents with versions; `GET …/{id}/diff` compares two of them',
    }),
    details: z.record(z.string(), z.unknown()).nullable().openapi({
      description: 'Further facts: of resources without versions, the values before and after',
    }),
    requestId: z.string().nullable().openapi({ description: 'The request or the run' }),
  })
  .openapi('ActivityEntry')

const CURSOR = /^(?<at>\S+) (?<position>\d{1,18})$/

const cursor = z
  .string()
  .max(100)
  .transform((text, context): EntryKey => {
    const { at, position = '' } = CURSOR.exec(text)?.groups ?? {}
    const instant = asOfParameter.safeParse(at)
    if (instant.success && instant.data !== undefined) return { at: instant.data, position }
    context.addIssue('must be that of the link to the next page')
    return z.NEVER
  })
  .optional()
  .openapi({ type: 'string', description: 'From the link to the next page' })

/** The formats of exports. */
export const EXPORT_FORMATS = ['csv', 'jsonl'] as const

const activityQuery = z
  .object({
    ...filterParameters,
    actor: actorParameter.optional().openapi({ description: 'Made by this principal' }),
    subject: subjectParameter.optional().openapi({ description: 'Of the resource with this id' }),
    requestId: z
      .string()
      .regex(/^[\w.-]{1,64}$/, 'must be the id of a request')
      .optional()
      .openapi({
        description: `Of the request with this id (header \`x-request-id\`), which the caller sent in the last ${REQUEST_MINUTES} minutes. For clients that do not know whether a change was saved (\`outcome_unknown\`)`,
      }),
    format: z
      .enum(['json', ...EXPORT_FORMATS])
      .optional()
      .openapi({
        description:
          'json: a page; csv or jsonl: all entries, as an export. Without it, the header `Accept` decides',
      }),
    after: cursor,
    limit: limitParameter(ENTRIES_USUAL, ENTRIES_MAX),
  })
  .refine(({ requestId, format = 'json' }) => requestId === undefined || format === 'json', {
    path: ['format'],
    message: 'cannot be combined with requestId',
  })

const MEDIA_TYPES = {
  json: 'application/json',
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl',
} as const

const csv = z.string().openapi({ description: 'A line with the columns, and one for each entry' })

/** The response with an export. */
export const exportAnswered = {
  description: 'The entries. In JSON lines, each line is an entry.',
  otherSchemas: { [MEDIA_TYPES.csv]: csv, [MEDIA_TYPES.jsonl]: entry },
}

/** `GET /api/activity`: lists the activity of the organization, or exports it. */
export const listActivityEntries: Endpoint<never, z.infer<typeof activityQuery>> = {
  operation: 'listActivity',
  summary: 'List or export the activity of the organization',
  description:
    'Every change of every resource, newest first. Entries of integrations and runs are visible to the team that owned them; those of API keys, accounts and invitations to owners of the organization and the person concerned. The assets of runs (`ingested-asset`) are listed if the kind or the subject asks for them.',
  permission: 'any key',
  query: activityQuery,
  answers: {
    200: {
      ...exportAnswered,
      schema: z.array(entry),
      headers: { link: 'The next page of a list, if there is one' },
    },
  },
  async handle({ services, caller, query, path, search, headers }) {
    const format = query.format ?? negotiateFormat(headers.get('accept'))
    const filters = toFilters(query)
    const { after, limit, requestId } = query
    const page = { after, limit }
    if (requestId !== undefined) {
      const own = { ...filters, requestId }
      return toPageAnswer(await listRequestAsJson(services, caller, own, page), { path, search })
    }
    if (format !== 'json') return toExportAnswer(services, caller, filters, format)
    return toPageAnswer(await listEntriesAsJson(services, caller, filters, page), { path, search })
  },
}

function toPageAnswer(
  { json, next }: { json: string; next: EntryKey | undefined },
  { path, search }: { path: string; search: URLSearchParams },
): Answer {
  const link = next && nextLink(path, search, 'after', `${next.at} ${next.position}`)
  return { ...toAnswer('json', link), body: json }
}

/** Builds the response with an export, which a browser saves as a file. */
export function toExportAnswer(
  services: Services,
  caller: Caller,
  filters: ActivityFilters,
  format: (typeof EXPORT_FORMATS)[number],
): Answer {
  const lines = format === 'csv' ? 'csv' : 'json'
  return { ...toAnswer(format), body: exportEntries(services, caller, filters, lines) }
}

function toAnswer(format: keyof typeof MEDIA_TYPES, link?: string): Answer {
  return {
    status: 200,
    mediaType: MEDIA_TYPES[format],
    headers: {
      vary: 'accept',
      ...(link === undefined ? {} : { link }),
      ...(format === 'json'
        ? {}
        : { 'content-disposition': `attachment; filename="activity.${format}"` }),
    },
  }
}

function negotiateFormat(accept: string | null): keyof typeof MEDIA_TYPES {
  const { json, jsonl } = MEDIA_TYPES
  const mediaType = negotiate(accept, [json, jsonl, 'text/csv'])
  return mediaType === 'text/csv' ? 'csv' : mediaType === jsonl ? 'jsonl' : 'json'
}

function toFilters(query: z.infer<typeof activityQuery>): ActivityFilters {
  const { kind, level, team, actor, subject, since, until } = query
  return { kinds: kind, levels: level, team, actor, subject, since, until }
}

const seal = z
  .object({
    number: z.int().min(1).openapi({ description: 'Counts from 1 without gaps' }),
    firstId: z.uuid().openapi({ description: 'The first entry' }),
    lastId: z.uuid().openapi({ description: 'The last entry' }),
    entryCount: z.int().min(1),
    hash: z.string().openapi({ description: 'SHA-256, hexadecimal' }),
    sealedAt: z.string().openapi({ format: 'date-time' }),
  })
  .openapi('ActivitySeal')

const sealQuery = z.object({
  number: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1')
    .transform(Number)
    .optional()
    .openapi({ description: 'Without it, the newest seal' }),
})

/** `GET /api/activity/seal`: a seal of the activity. */
export const getActivitySeal: Endpoint<never, z.infer<typeof sealQuery>> = {
  operation: 'getActivitySeal',
  summary: 'Get a seal of the activity, to keep its hash outside',
  description:
    'A seal has the hash of a batch of entries and of the seal before it. If a hash that was kept outside differs from that of the same number, the activity was changed in the database.',
  lane: 'point',
  permission: 'any key',
  query: sealQuery,
  answers: {
    200: { description: 'The seal', schema: seal },
    404: describeError('There is no seal yet, or none with this number'),
  },
  async handle({ services, caller, query: { number } }) {
    return jsonAnswer(200, seal, await getSeal(services, caller, number))
  },
}
