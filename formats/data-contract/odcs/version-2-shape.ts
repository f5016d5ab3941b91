// The shapes of an ODCS 2.2 document. Source: Open Data Contract Standard, bitol.io, JSON Schema of v2.2.2. It allows
// other fields everywhere.

import { any, flag, integer, list, number, object, oneOf, set, text } from '../../shape/shape.ts'
import type { ObjectShape, Shape } from '../../shape/shape.ts'

export const ODCS_2_VERSIONS = ['v2.2.2', 'v2.2.1', 'v2.2.0'] as const

function texts(names: string): { [name: string]: Shape } {
  return Object.fromEntries(names.split(' ').map((name) => [name, text()]))
}

const tags = set(text())

const authoritativeDefinitions = set(
  object({ fields: texts('url type'), required: ['url', 'type'] }),
)

// The official schema requires an object here, the examples of the standard have text.
const customValue: Shape = {
  kind: 'either',
  official: object({ fields: {} }),
  seen: any,
  hint: 'The official schema of v2.2.2 requires an object here.',
}

const customProperties = set(object({ fields: { property: text(), value: customValue } }))

const quality = set(
  object({
    fields: {
      ...texts('code templateName description toolName toolRuleName dimension columns column'),
      ...texts('type severity businessImpact scheduleCronExpression'),
      customProperties,
    },
    required: ['templateName', 'toolName'],
  }),
)

const column = object({
  fields: {
    ...texts('column businessName logicalType physicalType description classification'),
    ...texts('encryptedColumnName transformLogic transformDescription'),
    isPrimaryKey: flag,
    primaryKeyPosition: integer(),
    isNullable: flag,
    isUnique: flag,
    partitionStatus: flag,
    partitionKeyPosition: integer(),
    clusterStatus: flag,
    clusterKeyPosition: integer(),
    authoritativeDefinitions,
    transformSourceTables: list(text()),
    sampleValues: list(text()),
    criticalDataElementStatus: flag,
    tags,
  },
  required: ['column', 'logicalType', 'physicalType'],
})

const dataset = object({
  fields: {
    ...texts('table physicalName priorTableName description dataGranularity'),
    authoritativeDefinitions,
    columns: list(column),
    quality,
  },
  required: ['table'],
})

const amount = oneOf(text(), number())

const serviceLevel = object({
  fields: { ...texts('property unit column driver'), value: amount, valueExt: amount },
  required: ['property', 'value'],
})

const description = object({
  fields: texts('usage purpose limitations'),
  hint: 'description is an object in ODCS; move the text to description.purpose',
})

/** An ODCS 2.2 document. */
export const odcs2Shape: ObjectShape = object({
  fields: {
    ...texts('version uuid datasetKind userConsumptionMode type tenant status sourceSystem'),
    ...texts('sourcePlatform server quantumName productSlackChannel productFeedbackUrl'),
    ...texts('productDl username password driverVersion driver project datasetName'),
    ...texts('datasetDomain database slaDefaultColumn'),
    kind: text({ allowed: ['DataContract'] }),
    apiVersion: text({ format: 'version' }),
    tags,
    description,
    dataset: list(dataset),
    price: object({
      fields: { priceAmount: number(), ...texts('priceCurrency priceUnit') },
    }),
    stakeholders: list(
      object({ fields: texts('username role dateIn dateOut replacedByUsername') }),
    ),
    roles: set(
      object({
        fields: texts('role access firstLevelApprovers secondLevelApprovers'),
        required: ['role', 'access'],
      }),
    ),
    slaProperties: set(serviceLevel),
  },
  // Fields of later versions for the owner and the id of the contract.
  seen: {
    ...texts('id name domain'),
    team: any,
    customProperties: set(object({ fields: { property: text(), value: any } })),
  },
  required: ['version', 'kind', 'uuid', 'type', 'status', 'dataset', 'datasetName', 'quantumName'],
})
