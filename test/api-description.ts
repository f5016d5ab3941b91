/** The description of the API that every installation serves. */

import type { Value } from '../formats/text/value.ts'
import { api } from '../server/api.ts'
import { openApiDocument } from '../server/requests/http/openapi.ts'
import { VERSION } from '../server/platform/version.ts'

/** Creates the OpenAPI document of the product. */
export function createApiDescription(): Value {
  return JSON.parse(JSON.stringify(openApiDocument(api, VERSION)))
}
