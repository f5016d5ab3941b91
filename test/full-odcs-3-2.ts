/** The additions of ODCS 3.2.0, each of them once. */

import type { ObjectValue, Value } from '../formats/text/value.ts'

export const ODCS_SERVERS_3_2: { [type: string]: string } = {
  azure: 'location format delimiter encoding',
  glue: 'account database location format encoding',
  kafka: 'host format encoding',
  kinesis: 'region format encoding',
  local: 'path format encoding',
  s3: 'location endpointUrl format delimiter encoding',
  sftp: 'location format delimiter encoding',
  btrieve: 'host database port',
  exasol: 'host port schema',
  fastobjects: 'database host port',
  hana: 'host port database schema',
  iceberg: 'catalog catalogUrl namespace warehouse',
  ingres: 'database host port',
  poet: 'database host port',
  teradata: 'host port database',
  vectorwise: 'database host port',
  versant: 'database host port',
}

const vendorProperties = [{ id: 'x', property: 'a', value: 1, description: 'd', vendor: 'v' }]

export const SYNONYMS_3_2: Value = [
  {
    id: 'urn:x',
    synonym: 's',
    description: 'd',
    locale: 'en',
    source: 's',
    status: 'active',
    customProperties: vendorProperties,
  },
]

const vectorOptions = {
  dimensions: 1536,
  elementType: 'float16',
  distanceMetric: 'dotProduct',
  embeddingModel: 'm',
  embeddingModelVersion: '1',
  normalized: true,
}

const map = { key: { logicalType: 'string' }, value: { logicalType: 'integer' } }

/** Properties that only this version has. */
export const PROPERTIES_3_2: Value[] = [
  { name: 'untyped', physicalType: 'varchar' },
  { name: 'm', logicalType: 'map', map, synonyms: SYNONYMS_3_2, deprecated: true },
  { name: 'v', logicalType: 'vector', logicalTypeOptions: vectorOptions },
  { name: 'bare', logicalType: 'vector' },
  { name: 'share', logicalType: 'number', semanticType: 'measure', transformLogic: 'sum(a)' },
  { name: 'day', logicalType: 'date', semanticType: 'dimension', transformLogic: 'day(t)' },
  {
    name: 'state',
    logicalType: 'string',
    enum: [
      {
        value: 'A',
        label: 'l',
        id: 'x',
        description: 'd',
        tags: ['t'],
        customProperties: vendorProperties,
        authoritativeDefinitions: [{ id: 'x', url: 'u', type: 'glossary', description: 'd' }],
      },
      { value: null },
    ],
    relationships: [{ id: 'x/y z', to: 'a-b.c-d' }, { to: 'x.yml#schema/a/properties/ä:b' }],
  },
]

/** Members of the whole document that only this version has, beside those of v3.1.0. */
export function addMembers(document: ObjectValue): ObjectValue {
  const members = {
    customProperties: vendorProperties,
    authoritativeDefinitions: [{ url: 'u', type: 'taxonomy' }],
  }
  return {
    ...document,
    customProperties: vendorProperties,
    slaProperties: [{ property: 'retention', value: 1, unit: 'y', ...members }],
  }
}
