import {
  findPublishedSchema,
  PUBLISHED_SCHEMA_NAMES,
} from '../../../formats/standards/published.ts'
import { ApiError } from '../../platform/errors.ts'
import { jsonSchemaDocument } from '../../requests/http/document-schema.ts'
import type { Endpoint } from '../../requests/http/endpoint.ts'

/** `GET /api/schemas/{file}`: the JSON Schema of a standard. */
export const getSchema: Endpoint<'file'> = {
  operation: 'getSchema',
  summary: 'Read the JSON Schema of ODCS or ODPS',
  description:
    'The file is `odcs` or `odps`, then optionally `-` and a version, then optionally `-custom`, then `.schema.json`: `odcs-3.1.0.schema.json`. Without a version it is that of existing clients, ODCS 3.1.0 or ODPS 1.0.0. With `-custom` the schema is the same.',
  permission: 'any key',
  answers: {
    200: {
      description: 'The schema, without its descriptions and examples',
      schema: jsonSchemaDocument,
      headers: { 'x-schema-version': 'The version of the standard: `3.1.0`' },
    },
  },
  async handle({ params: { file } }) {
    const published = findPublishedSchema(file)
    if (published === undefined) {
      throw new ApiError(
        'not_found',
        `Unknown schema. Request one of ${PUBLISHED_SCHEMA_NAMES.join(', ')}, with the ending .schema.json.`,
      )
    }
    const { version, schema } = published
    return {
      status: 200,
      headers: { 'x-schema-version': version },
      mediaType: 'application/json',
      body: `${JSON.stringify(schema, null, 2)}\n`,
    }
  },
}
