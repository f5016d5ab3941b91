// The shape of a DPS document: the JSON Schema of Data Product Specification 0.0.1, dataproduct-specification.com, and
// other common fields, which it allows everywhere.

import { adaptObject, adaptText } from '../shape/adapt.ts'
import { fromJsonSchema } from '../shape/from-json-schema.ts'
import { any, list, type ObjectShape, text } from '../shape/shape.ts'
import schema from '../standards/dps-0.0.1.schema.json' with { type: 'json' }
import { ARCHETYPES, MATURITIES } from './data-product.ts'

// The statuses of DPS.
const DPS_STATUSES = ['proposed', 'in development', 'active', 'deprecated', 'retired']

const STATUS = adaptText({ customary: DPS_STATUSES })

/** A DPS document. */
export const DPS: ObjectShape = fromJsonSchema(schema, {
  sets: ['tags', 'inputPorts', 'outputPorts'],
  parts: {
    // Very old documents have the owner in `teamId`.
    '': adaptObject({ seen: { assets: list(any), teamId: text() } }),
    info: adaptObject({
      // The first two are an alternative notation of id and title in the specification.
      seen: { id: text(), name: text(), domain: text(), icon: text() },
      recommended: ['status'],
    }),
    'info.description': adaptText({ hint: 'description is one text in DPS' }),
    'info.status': STATUS,
    'info.archetype': adaptText({ customary: ARCHETYPES }),
    'info.maturity': adaptText({ customary: MATURITIES }),
    'inputPorts[]': adaptObject({ seen: { dataContractId: text(), contractId: text() } }),
    'outputPorts[]': adaptObject({
      seen: {
        contractId: text(),
        contractServer: text(),
        environment: text(),
        assets: list(any),
      },
    }),
    'outputPorts[].status': STATUS,
  },
})
