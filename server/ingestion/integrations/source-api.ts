import { z } from '@hono/zod-openapi'
import { CONNECTORS } from '../../connectors/connectors.ts'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { SOURCES } from './integration.ts'

const fieldDisplay = z.object({
  onlyWith: z
    .object({ name: z.string(), values: z.array(z.string()) })
    .optional()
    .openapi({ description: 'It applies only if another field has one of these values' }),
  isRare: z.boolean().optional().openapi({ description: 'Rarely needed and shown separately' }),
  isNeeded: z.boolean().optional().openapi({ description: 'Required when it applies' }),
})

const source = z.object({
  source: z.string().openapi({ enum: [...SOURCES] }),
  title: z.string(),
  summary: z.string(),
  configuration: z.record(z.string(), z.unknown()).openapi({ description: 'A JSON Schema' }),
  secrets: z.array(
    fieldDisplay.extend({
      name: z.string(),
      title: z.string(),
      required: z.boolean(),
      multiline: z.boolean(),
    }),
  ),
  connectionFields: z.array(z.string()),
  nameFields: z.array(z.string()).openapi({
    description: 'The first of these fields with a value completes the proposed name',
  }),
  levels: z.array(z.string()),
  scopeLevel: z.string(),
  assetKinds: z.array(z.string()),
  guide: z.string().nullable().openapi({ description: 'The address of its guide' }),
})

/** `GET /ui/sources`: lists the source platforms and their settings. */
export const listSources: Endpoint = {
  operation: 'listSources',
  summary: 'List the source platforms that can be connected',
  permission: 'a session',
  answers: { 200: { description: 'The sources', schema: z.array(source) } },
  async handle() {
    const sources = [...CONNECTORS.values()].map(({ source, description }) => ({
      source,
      title: description.title,
      summary: description.summary,
      configuration: z.toJSONSchema(description.configuration, { io: 'input' }),
      secrets: [...description.secrets],
      connectionFields: [...description.connectionFields],
      nameFields: [...description.nameFields],
      levels: [...description.levels],
      scopeLevel: description.scopeLevel,
      assetKinds: [...description.assetKinds],
      guide: description.guide === undefined ? null : `/guides/${description.guide}`,
    }))
    return jsonAnswer(200, z.array(source), sources)
  },
}
