import { z } from '@hono/zod-openapi'
import { AGREEMENT_SHAPE } from '../../formats/agreement/agreement.ts'
import { toFieldSchemas } from '../requests/http/document-schema.ts'
import { accessProvisioning } from './provisioning.ts'

/** An access agreement, as the OpenAPI document describes it: the members that clients send, and those of the catalog. */
export const accessDocument = z
  .looseObject({
    ...toFieldSchemas(AGREEMENT_SHAPE),
    provisioning: accessProvisioning.optional().openapi({
      description: 'The reports of connectors; absent before the first one. Ignored in a PUT',
    }),
  })
  .openapi('Access', {
    description:
      'The catalog decides `info.status`, `info.active`, `provider.teamId`, `provider.dataContractId`, `provider.dataContractVersion`, `provisioning`, and the `consumer.teamId` of a data product; they are ignored in a PUT.',
  })
